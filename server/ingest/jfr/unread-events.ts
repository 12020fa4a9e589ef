// Counts the events of types with a stack that feed no metric, so that none is lost without a word.
import { firstNames, printableName } from '../../base/printable.ts';
import type { Key } from './cursor.ts';
import type { SeenStacks, StackCount } from './events.ts';
import { type Layout, type Layouts, untilLastMark } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';

/** Events of more types than these are counted without their names. */
const MOST_NAMED = 12;
/** Prefixes of the names of the JVM's own events. */
const JVM = ['jdk.', 'com.oracle.jdk.'];

/** The unread events of a whole recording. */
export class UnreadEvents {
  readonly #types = new Map<string, SeenStacks>();

  /** Counters for the types of a chunk that can have a stack, by the types' ids; `isRead` tells which types are read. */
  countersFor(layouts: Layouts, isRead: (type: Key) => boolean): Map<Key, StackCount> {
    const counters = new Map<Key, StackCount>();
    for (const [id, type] of layouts.types.byId) {
      const stack = fieldOf(type, 'stackTrace');
      if (stack?.pooled !== true || stack.array || isRead(id)) continue;
      const layout = layouts.derived(`stack of ${type.name}`, () => stackOf(layouts, type));
      if (layout === null) continue;
      const seen = this.#types.get(type.name) ?? { events: 0, hasStack: false };
      this.#types.set(type.name, seen);
      counters.set(id, { layout, seen });
    }
    return counters;
  }

  /** All events together. */
  get total(): number {
    return this.#sorted().reduce((sum, [, count]) => sum + count, 0);
  }

  /** The event of another writer than the JVM that is most frequent; null where there is none. */
  get mostOfOthers(): string | null {
    return this.#sorted().find(([name]) => !isOfJvm(name))?.[0] ?? null;
  }

  /** `com.acme.Order (120), jdk.ThreadStart (7)`: events of other writers than the JVM first, the most frequent first. */
  text(): string {
    const named = this.#sorted().map(([name, count]) => `${printableName(name)} (${count})`);
    return firstNames(named, MOST_NAMED);
  }

  #sorted(): (readonly [name: string, count: number])[] {
    const seen = [...this.#types].flatMap(([name, { events, hasStack }]) =>
      hasStack ? [[name, events] as const] : [],
    );
    return seen.sort(
      ([a, countA], [b, countB]) =>
        Number(isOfJvm(a)) - Number(isOfJvm(b)) || countB - countA || Number(a > b) - Number(a < b),
    );
  }
}

/** How to find the key of a stack in an event; null where the type cannot be laid out. */
function stackOf(layouts: Layouts, type: JfrType): Layout | null {
  const layout = layouts.wanted(type, ['stackTrace']);
  return layout === null ? null : untilLastMark(layout);
}

function isOfJvm(event: string): boolean {
  return JVM.some(prefix => event.startsWith(prefix));
}
