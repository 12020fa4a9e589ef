// Which rows of a method table are generated hops that folding removes from the tree.
import { METHOD_FLAG, type MethodTable } from '../cct/profile.ts';
import { generatedKind } from './generated-classes.ts';

/** Methods that the runtime puts between a reflective call and its target, by class; generated accessors are generated classes. */
const REFLECTION_HOPS = /^(?:jdk\.internal|sun)\.reflect\.\w*Accessor\w*(?:\$\w+)?$/;
const METHOD_HANDLE_HOPS =
  /^java\.lang\.invoke\.(?:LambdaForm|DelegatingMethodHandle|DirectMethodHandle|Invokers|BoundMethodHandle|MethodHandleImpl|VarHandleGuards|VarHandles?)\b/;

/**
 * One byte a method row: 1 where folding removes the method, so that it neither counts nor is a caller or callee.
 *
 * Removed are bridges, `access$NNN` and access constructors, methods the JVM itself hides, lambda classes and lambda forms,
 * method handle and reflection plumbing, dynamic proxies and the forwarding methods of generated subclasses. Flags decide
 * where the format carries them (`METHOD_FLAG.known`), else the name does. Lambda bodies are code that a person wrote and stay.
 */
export function transparentMethods(methods: MethodTable): Uint8Array {
  const transparent = new Uint8Array(methods.length);
  const byClass = new Map<number, number>();
  for (let row = 0; row < methods.length; row++) {
    const classRow = methods.className[row]!;
    let generated = byClass.get(classRow);
    if (generated === undefined) {
      generated = isHopClass(methods.strings[classRow]!) ? 1 : 0;
      byClass.set(classRow, generated);
    }
    const flags = methods.flags[row]!;
    if (flags & METHOD_FLAG.foreign) continue;
    const name = methods.strings[methods.name[row]!]!;
    transparent[row] = generated === 1 || isHopMethod(methods.strings[classRow]!, name, flags) ? 1 : 0;
  }
  return transparent;
}

/** Whether no row carries access flags, so that bridges cannot be told and folding goes by names alone; features say so. */
export function foldsByNameOnly(methods: MethodTable): boolean {
  for (let row = 0; row < methods.length; row++) if (methods.flags[row]! & METHOD_FLAG.known) return false;
  return true;
}

function isHopClass(className: string): boolean {
  const kind = generatedKind(className);
  if (kind !== null) return kind !== 'script';
  return REFLECTION_HOPS.test(className) || METHOD_HANDLE_HOPS.test(className);
}

function isHopMethod(className: string, name: string, flags: number): boolean {
  if (flags & METHOD_FLAG.hidden) return true;
  const known = (flags & METHOD_FLAG.known) !== 0;
  const synthetic = !known || (flags & METHOD_FLAG.synthetic) !== 0;
  if (known && flags & METHOD_FLAG.bridge) return true;
  if (synthetic && /^access\$\d+$/.test(name)) return true;
  if (known && synthetic && name === '<init>') return true;
  return (
    (className === 'java.lang.reflect.Method' && name === 'invoke') ||
    (className === 'java.lang.reflect.Constructor' && name.startsWith('newInstance'))
  );
}
