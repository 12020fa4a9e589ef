// The meaning of type names and members as far as files of the workspace tell it without a compiler; nothing is guessed beyond that.
import type { Declaration, TypeText } from '../../../grammar/outline.ts';
import { knownName } from '../../mapping/erasure.ts';
import type { TypeIndex } from '../../mapping/outline-index.ts';
import type { SourceFile } from '../../workspace/files/source-file.ts';
import type { SourceFiles } from '../../workspace/files/source-files.ts';

/** A type that a name means. */
export type WrittenType = {
  /** Binary name; with dots for nested types of which no source is known. */
  readonly name: string;
  /** null where no file of the workspace has it. */
  readonly source: { readonly file: SourceFile; readonly type: TypeIndex } | null;
};

/** A type as written at a place, not looked up yet. */
export type TypeAt = { readonly file: SourceFile; readonly scope: number; readonly text: TypeText };

/** Longer chains of supertypes are not followed. */
const MOST_SUPERTYPES = 64;

/** Looks names up for one request; remembers what it found. */
export class WrittenTypes {
  readonly #files: SourceFiles;
  readonly #byName = new Map<string, WrittenType['source']>();
  #bySimpleName: ReadonlyMap<string, string | null> | null = null;

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  /** null for primitive types, type variables and names that may mean several things. */
  typeAt({ file, scope, text }: TypeAt): WrittenType | null {
    return text.dimensions > 0 ? null : this.typeNamed(file, scope, text.name);
  }

  typeNamed(file: SourceFile, scope: number, written: string): WrittenType | null {
    const index = file.types;
    if (/^[a-z]+$/.test(written) || isTypeVariable(file, scope, written)) return null;
    const known = knownName(index, scope, written);
    if (known !== null) return this.#inFile(file, known) ?? this.binary(known);
    if (written.includes('.') && /^[a-z]/.test(written)) return this.binary(written);
    const { packageName, imports } = file.outline;
    const near = packageName === '' ? written : `${packageName}.${written}`;
    const onDemand = imports.filter(({ kind }) => kind === 'onDemand').map(({ name }) => `${name}.${written}`);
    for (const candidate of [near, ...onDemand]) {
      const found = this.binary(candidate);
      if (found.source !== null) return found;
    }
    if (onDemand.length === 0 && JAVA_LANG.test(written)) return { name: `java.lang.${written}`, source: null };
    const only = this.#simpleNames().get(written);
    return only ? this.binary(only) : null;
  }

  /** The type with a binary name, or one whose nested types are written with dots. */
  binary(name: string): WrittenType {
    const flat = name.split('.');
    for (let nested = 0; nested < flat.length; nested++) {
      const at = flat.length - nested;
      const candidate = [flat.slice(0, at).join('.'), ...flat.slice(at)].join('$');
      const source = this.#sourceOf(candidate);
      if (source !== null) return { name: candidate, source };
      // Packages are written small: the names before the first capitalised name are one.
      if (!/^[A-Z]/.test(flat[at - 2] ?? '')) break;
    }
    return { name, source: null };
  }

  /** Direct supertypes, as far as they can be told. */
  supertypes({ source }: WrittenType): WrittenType[] {
    if (source === null) return [];
    const { file, type } = source;
    const { supertypes, row } = type.declaration;
    return supertypes.flatMap(({ name }) => this.typeNamed(file, row, name) ?? []);
  }

  /** The type and everything above it, nearest first. */
  *withSupertypes(start: WrittenType): Generator<WrittenType, void, void> {
    const seen = new Set([start.name]);
    const pending = [start];
    for (let next = pending.shift(); next !== undefined && seen.size < MOST_SUPERTYPES; next = pending.shift()) {
      yield next;
      for (const above of this.supertypes(next)) {
        if (seen.has(above.name)) continue;
        seen.add(above.name);
        pending.push(above);
      }
    }
  }

  /** The type of a field, seen from a type or one below it. */
  fieldOf(start: WrittenType, name: string): TypeAt | null {
    for (const { source } of this.withSupertypes(start)) {
      if (source === null) continue;
      const { file, type } = source;
      const { declarations } = file.outline;
      const field = type.fields.map(row => declarations[row]!).find(each => each.name === name);
      const component = type.declaration.kind === 'record' ? type.declaration.parameters : [];
      const text = field?.type ?? component.find(each => each.name === name)?.type ?? null;
      if (text !== null) return { file, scope: type.declaration.row, text };
    }
    return null;
  }

  #inFile(file: SourceFile, known: string): WrittenType | null {
    const { typeByName } = file.types;
    const type = typeByName.get(known);
    return type === undefined ? null : { name: known, source: { file, type } };
  }

  #sourceOf(binaryName: string): WrittenType['source'] {
    const known = this.#byName.get(binaryName);
    if (known !== undefined) return known;
    let found: WrittenType['source'] = null;
    for (const file of this.#files.filesOfClass(binaryName)) {
      const type = file.types.typeByName.get(binaryName);
      if (type !== undefined) found ??= { file, type };
    }
    this.#byName.set(binaryName, found);
    return found;
  }

  /** Outermost types of the index by their last name; null where several have it. */
  #simpleNames(): ReadonlyMap<string, string | null> {
    if (this.#bySimpleName !== null) return this.#bySimpleName;
    const names = new Map<string, string | null>();
    for (const { types } of this.#files.indexed())
      for (const type of types) {
        const simple = type.slice(type.lastIndexOf('.') + 1);
        const other = names.get(simple);
        names.set(simple, other === undefined || other === type ? type : null);
      }
    this.#bySimpleName = names;
    return names;
  }
}

/** The types of java.lang that programs name most; others may be anything. */
const JAVA_LANG =
  /^(?:Object|String|StringBuilder|StringBuffer|CharSequence|Character|Boolean|Byte|Short|Integer|Long|Float|Double|Number|Math|StrictMath|System|Thread|Runnable|Iterable|Comparable|AutoCloseable|Class|ClassLoader|Enum|Record|Runtime|Process|ProcessBuilder|Throwable|Exception|RuntimeException|Error|ThreadLocal)$/;

/** The declaration around a row that is a type, with its binary name; null outside all types. */
export function enclosingType(file: SourceFile, row: number): WrittenType | null {
  const index = file.types;
  const at = index.typeOfRow[row] ?? -1;
  const declaration: Declaration | undefined = file.outline.declarations[at];
  const type = declaration === undefined ? undefined : index.typeByName.get(declaration.binaryName);
  return type === undefined ? null : { name: type.declaration.binaryName, source: { file, type } };
}

function isTypeVariable({ outline: { declarations } }: SourceFile, scope: number, name: string): boolean {
  for (let row = scope; row >= 0; row = declarations[row]!.parent)
    if (declarations[row]?.typeParameters.some(parameter => parameter.name === name)) return true;
  return false;
}
