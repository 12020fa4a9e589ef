// Frame → declarations of one file: picks the rule for the kind of runtime name and lets it decide.
import { METHOD_FLAG } from '../cct/profile.ts';
import { resolveAnnotated, resolveBuilderClass } from './annotation-members.ts';
import { resolveAround } from './aspects.ts';
import { isBridge, isInherited, resolveBridge } from './bridges.ts';
import { enclosingNames, plainClassName } from './class-names.ts';
import { describeType, resolveConstructor } from './constructors.ts';
import { type Frame, found, noSource, type Resolution } from './frame.ts';
import { classBehind, generatedKind } from './generated-classes.ts';
import { resolveImplicit } from './implicit-members.ts';
import { resolveInstanceInitializer, resolveStaticInitializer } from './initializers.ts';
import { resolveLambda, Surroundings } from './lambdas.ts';
import { countLines } from './observed-lines.ts';
import { otherLanguage } from './other-languages.ts';
import type { OutlineIndex, TypeIndex } from './outline-index.ts';
import { chooseOverload } from './overloads.ts';

/**
 * Where the frame's *line* stands: like `resolveMethod`, but a line of `<init>` or `<clinit>` goes to the initialiser block,
 * field or enum constant that it runs.
 *
 * `around` holds the frames known of the same class (any of them, the frame included); they show by which rule the compiler
 * numbered its lambdas, which is worked out once for each: pass the same for all frames of a class.
 */
export function resolveFrame(index: OutlineIndex, frame: Frame, around: Surroundings = ALONE): Resolution {
  const place = locateClass(index, frame);
  if ('confidence' in place) return place;
  const { type } = place;
  if (frame.name === '<clinit>') return resolveStaticInitializer(index, type, frame);
  const method = resolveIn(index, type, place.frame, around);
  if (frame.name !== '<init>') return method;
  return resolveInstanceInitializer(index, type, frame, method) ?? method;
}

/**
 * The declaration that is the *method* itself: for `<init>` the constructor, or the type's header when none is written; for
 * `<clinit>` the type's header.
 */
export function resolveMethod(index: OutlineIndex, frame: Frame, around: Surroundings = ALONE): Resolution {
  const place = locateClass(index, frame);
  return 'confidence' in place ? place : resolveIn(index, place.type, place.frame, around);
}

const ALONE = new Surroundings([], null);

type Located = { readonly type: TypeIndex; readonly frame: Frame };

/** The declared type behind the frame's class; an answer instead where the class itself is not written in the file. */
function locateClass(index: OutlineIndex, frame: Frame): Located | Resolution {
  const className = plainClassName(frame.className);
  const type = index.typeByName.get(className);
  if (type !== undefined) return { type: correctByLines(index, type, frame), frame };
  const behind = classBehind(className);
  const extended = behind === className ? undefined : index.typeByName.get(behind);
  if (extended !== undefined) {
    if (generatedKind(className) === 'subclass') return { type: extended, frame: overridden(frame) };
    return found(extended.declaration.row, 'generated', `made at run time for ${describeType(extended.declaration)}`);
  }
  const builder = resolveBuilderClass(index, className);
  if (builder !== null) return builder;
  const language = otherLanguage(className, frame.name);
  const outer = enclosingNames(className)
    .map(name => index.typeByName.get(name))
    .find(found => found !== undefined);
  if (outer !== undefined && /\$\d+$/.test(className)) {
    return found(
      outer.declaration.row,
      'generated',
      `class made by the compiler in ${describeType(outer.declaration)}`,
    );
  }
  return noSource(language === null ? `no type ${className} in this file` : `${language} code`);
}

function resolveIn(index: OutlineIndex, type: TypeIndex, frame: Frame, around: Surroundings): Resolution {
  if (frame.name === '<init>') return resolveConstructor(index, type, frame);
  if (frame.name === '<clinit>') {
    return found(type.declaration.row, 'header', `static initialisers of ${describeType(type.declaration)}`);
  }
  if (isBridge(frame)) return resolveBridge(index, type, frame);
  const isWritten = (frame.flags & METHOD_FLAG.known) !== 0 && (frame.flags & METHOD_FLAG.synthetic) === 0;
  const lambda = isWritten ? null : resolveLambda(index, type, frame, around);
  if (lambda !== null) return lambda;
  const rows = type.methodsByName.get(frame.name);
  const chosen =
    rows === undefined || standsInHeader(index, type, frame, rows) ? null : chooseOverload(index, rows, frame);
  if (chosen !== null) return chosen;
  const made = resolveImplicit(type, frame) ?? resolveAnnotated(index, type, frame);
  if (made !== null) return made;
  if (rows !== undefined) return resolveUnfitting(index, type, frame, rows);
  const woven = resolveAround(index, type, frame);
  if (woven !== null) return woven;
  if (isInherited(index, type, frame)) return resolveBridge(index, type, frame);
  const language = otherLanguage(frame.className, frame.name);
  return noSource(
    language === null ? `no method ${frame.name} in ${describeType(type.declaration)}` : `${language} code`,
  );
}

/** Without a descriptor, a line outside the written methods of that name may still show one that the compiler made. */
function standsInHeader(index: OutlineIndex, type: TypeIndex, frame: Frame, rows: readonly number[]): boolean {
  if (frame.descriptor !== null || frame.lines.length === 0) return false;
  const { declarations } = index.outline;
  if (rows.some(row => countLines(declarations[row]!, frame.lines) > 0)) return false;
  return countLines(type.declaration, frame.lines) > 0 && resolveImplicit(type, frame) !== null;
}

/** The name is written but the descriptor fits nothing: lines decide, else it is taken for a bridge of unknown flags. */
function resolveUnfitting(index: OutlineIndex, type: TypeIndex, frame: Frame, rows: readonly number[]): Resolution {
  const { declarations } = index.outline;
  const onLine = rows.filter(row => countLines(declarations[row]!, frame.lines) > 0);
  if (onLine.length === 1) return found(onLine[0]!, 'line');
  return resolveBridge(index, type, frame);
}

/**
 * Anonymous and local classes are numbered by the compiler, and not all number alike: when no member of that name in the
 * numbered class has the line, but that of exactly one other class in the same outermost type does, it is that one.
 */
function correctByLines(index: OutlineIndex, type: TypeIndex, frame: Frame): TypeIndex {
  const { local, kind, binaryName } = type.declaration;
  if (frame.lines.length === 0 || (!local && kind !== 'anonymousClass') || !/\$\d+[^$]*$/.test(binaryName)) return type;
  if (fitsLines(index, type, frame)) return type;
  const outermost = enclosingNames(binaryName).at(-1)!;
  const others: TypeIndex[] = [];
  for (const other of index.typeByName.values()) {
    if (other === type || other.declaration.name !== type.declaration.name) continue;
    if (!other.declaration.binaryName.startsWith(`${outermost}$`) || !fitsLines(index, other, frame)) continue;
    others.push(other);
  }
  return others.length === 1 ? others[0]! : type;
}

function fitsLines(index: OutlineIndex, type: TypeIndex, frame: Frame): boolean {
  const { declarations } = index.outline;
  const lambdas = frame.name.startsWith('lambda$') ? type.lambdas.map(place => place.declaration) : [];
  const initializers =
    frame.name === '<init>' ? [type.declaration.row, ...type.instanceInitializers, ...type.constructors] : [];
  const rows = [...(type.methodsByName.get(frame.name) ?? []), ...lambdas, ...initializers];
  return rows.some(row => countLines(declarations[row]!, frame.lines) === frame.lines.length);
}

/** The method that a generated subclass's method overrides: `CGLIB$run$3`, `run$accessor$x1y2` → `run`. */
function overridden(frame: Frame): Frame {
  const name = /^CGLIB\$(.+)\$[\d#]+$/.exec(frame.name) ?? /^(.+?)\$(?:accessor|original)\$\w+$/.exec(frame.name);
  return { ...frame, name: name?.[1] ?? frame.name, flags: 0, lines: [] };
}
