// Calls that cost next to nothing on any object: accessors, and methods of the JDK's values and collections that take a few steps.
import type { CallSite } from '../../../grammar/outline.ts';

/** `getName`, `isOpen`, `hasNext`, `asList`: without arguments. */
const ACCESSOR = /^(?:get|is|has|as|to)(?:[A-Z]\w*)?$/;
/** Names of methods that do something: without arguments, other names belong to a record's components. */
const VERBS =
  /^(?:accept|apply|await|build|calculate|call|check|clean|clear|close|commit|compute|connect|create|delete|drain|execute|export|fetch|find|finish|flush|format|generate|import|init|initialize|invoke|join|list|load|lock|lookup|make|map|notify|open|parse|ping|poll|prepare|process|publish|query|read|rebuild|receive|refresh|reload|remove|render|reset|resolve|restart|retry|rollback|run|save|scan|search|send|sort|start|stop|store|submit|sync|synchronize|take|test|update|upload|validate|wait|work|write)(?:[A-Z]\w*)?$/;
/** Methods of collections, streams, texts, numbers, times and optional values, whatever their arguments. */
const JDK = new Set(
  'abs add addAll addFirst addLast append asList between ceil charAt collect compare compareTo contains containsKey copyOf counting divide distinct entry entrySet entries equals equalsIgnoreCase findAny findFirst first floor floorMod floorDiv get getOrDefault groupingBy hasNext hashCode indexOf insert intValue isBlank isEmpty isPresent iterator joining keySet last lastIndexOf length limit longValue mapping max min minus multiply name nanoTime currentTimeMillis next now of ofNullable offer orElse ordinal parseInt parseLong peek plus poll pop pow push put putAll putIfAbsent range rangeClosed random remove removeFirst removeLast replace requireNonNull reversed round set setLength signum size skip sorted sqrt startsWith endsWith strip subList substring subtract sum toArray toLowerCase toMap toSet toUpperCase toString trim unmodifiableList valueOf values'.split(
    ' ',
  ),
);

export function isCheapName({ name, kind, argumentCount }: CallSite): boolean {
  if (kind !== 'call') return true;
  return JDK.has(name) || (argumentCount === 0 && (ACCESSOR.test(name) || !VERBS.test(name)));
}
