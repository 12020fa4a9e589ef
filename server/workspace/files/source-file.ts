// One Java file of the workspace as others see it: its current text, and that mapped to data on demand.
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Claim } from '../../mapping/choose-file.ts';
import { enclosingNames, plainClassName } from '../../mapping/class-names.ts';
import { classBehind } from '../../mapping/generated-classes.ts';
import { indexOutline, type OutlineIndex } from '../../mapping/outline-index.ts';
import type { KeptMapping } from '../document/kept-mapping.ts';
import type { KeptOutline } from '../document/kept-outline.ts';

/** The parts of a file; an open document has them too. */
export type FileParts = {
  readonly uri: string;
  /** null for documents that are no files of this machine. */
  readonly path: string | null;
  readonly text: string;
  readonly outline: KeptOutline;
  readonly mapping: KeptMapping;
};

/** A file with one text; another text is another object. */
export class SourceFile {
  readonly uri: string;
  readonly path: string | null;
  readonly text: string;
  readonly parts: FileParts;
  #outline: Outline | null = null;
  #types: OutlineIndex | null = null;
  #claim: Claim | null = null;
  /** Whether the file outlives the data that it is seen with. */
  readonly isRemembered: boolean;
  /** @param isRemembered the file outlives the data that it is seen with, so that its own mapping must not hold on to any. */
  constructor(parts: FileParts, isRemembered = false) {
    this.isRemembered = isRemembered;
    this.uri = parts.uri;
    this.path = parts.path;
    this.text = parts.text;
    this.parts = parts;
  }

  get outline(): Outline {
    this.#outline ??= this.parts.outline.of(this.text);
    return this.#outline;
  }

  get types(): OutlineIndex {
    this.#types ??= indexOutline(this.outline);
    return this.#types;
  }

  /** The recorded text, as one of several that declare a class. */
  get claim(): Claim {
    this.#claim ??= this.#makeClaim();
    return this.#claim;
  }

  #makeClaim(): Claim {
    const { path, uri, text: screen } = this;
    const text = this.parts.mapping.profiled.text ?? screen;
    const index = text === screen ? this.types : indexOutline(outlineOf(text, path ?? uri));
    const { packageName } = index.outline;
    const file = { path: path ?? uri, size: text.length, modifiedMs: 0, packageName, types: [] };
    return { file, index, text };
  }

  /** Whether the class, or a type around it, is declared here; files that do not even mention it are not parsed. */
  declares(className: string): boolean {
    const names = enclosingNames(classBehind(plainClassName(className)));
    const outermost = names.at(-1)!;
    if (!this.text.includes(outermost.slice(outermost.lastIndexOf('.') + 1))) return false;
    const { typeByName } = this.types;
    return names.some(name => typeByName.has(name));
  }
}
