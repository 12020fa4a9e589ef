// Turns a chunk's keys of classes into frames that stand for objects: what was allocated or thrown, monitors and locks.
import { EMPTY_STACK_LINE, type ProfileBuilder } from '../../cct/builder.ts';
import { objectFrame } from '../../model/object-classes.ts';
import { normaliseClassName } from '../stable-names.ts';
import type { Threads } from './chunk-threads.ts';
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { NONE, type Samples } from './samples.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

const PRIMITIVES: Readonly<Record<string, string>> = {
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
};

/** `java.lang.String[]` of `[Ljava/lang/String;`, `byte[]` of `[B`; names of classes with dots. */
function objectClassName(text: string): string {
  const [, dimensions = '', element = ''] = /^(\[*)(.*)$/s.exec(text) ?? [];
  if (dimensions === '') return element.replaceAll('/', '.');
  const name = PRIMITIVES[element] ?? element.replace(/^L(.*);$/s, '$1');
  return name.replaceAll('/', '.') + '[]'.repeat(dimensions.length);
}

/** The place of a sample in the profile. */
type Place = { readonly node: number; readonly thread: number; readonly line: number; readonly window: number };

/** The source of a chunk's samples, and their target. */
type Target = {
  readonly builder: ProfileBuilder;
  readonly samples: Samples;
  readonly names: 'raw' | 'normalised';
};

/** Adds the samples of one chunk to metrics by class: below the innermost frame stands the object's class, below it the thread that had the object. */
export class ObjectClasses {
  readonly #context: ChunkContext;
  readonly #type: JfrType | undefined;
  readonly #target: Target;
  readonly #threads: Threads;
  readonly #layout: Layout | null;
  readonly #text: TextReader | undefined;
  /** Rows of frames in the table of methods by the numbers of classes and of owners, −1 for one without a name. */
  readonly #classRows = new Map<number, number>();
  readonly #ownerRows = new Map<number, number>();
  /** Keys of classes by their numbers, so far. */
  #keys: readonly Key[] = [];
  readonly #slot = new Int32Array(1);

  /** Registers the pools it needs. */
  constructor(context: ChunkContext, type: JfrType | undefined, target: Target, threads: Threads) {
    this.#context = context;
    this.#type = type;
    this.#target = target;
    this.#threads = threads;
    this.#layout = type === undefined ? null : context.layouts.wanted(type, ['name']);
    this.#text = textReader(context, fieldOf(type, 'name'));
    if (type !== undefined) context.pools.want(type.id);
  }

  /** Whether a sample's class has not come so far. @param object its number, or NONE */
  isMissing(object: number): boolean {
    return object !== NONE && this.#offset(object) < 0;
  }

  /** Adds a row of the samples. */
  add(metric: number, sample: number, { node, thread, line, window }: Place): void {
    const { builder, samples } = this.#target;
    const [object, owner] = [samples.object[sample]!, samples.owner[sample]!];
    const [ofClass, ofOwner] = [this.#classRow(object), owner === NONE ? -1 : this.#ownerRow(owner)];
    const typed = ofClass < 0 ? node : builder.child(node, ofClass, line === EMPTY_STACK_LINE ? 0 : line);
    const leaf = ofClass < 0 || ofOwner < 0 ? typed : builder.child(typed, ofOwner, 0);
    builder.add(
      metric,
      leaf,
      thread,
      leaf === node ? line : 0,
      window,
      samples.count[sample]!,
      samples.weight[sample]!,
    );
  }

  #classRow(object: number): number {
    const known = this.#classRows.get(object);
    if (known !== undefined) return known;
    const name = this.#name(object);
    const stable = this.#target.names === 'raw' ? name : normaliseClassName(name);
    const row = name === '' ? -1 : this.#frame(objectFrame(stable));
    this.#classRows.set(object, row);
    return row;
  }

  #ownerRow(owner: number): number {
    const known = this.#ownerRows.get(owner);
    if (known !== undefined) return known;
    const name = this.#threads.className(this.#target.samples.ownerNumbers.keys()[owner]!);
    const row = name ? this.#frame(name) : -1;
    this.#ownerRows.set(owner, row);
    return row;
  }

  #frame(name: string): number {
    return this.#target.builder.methods.method('', name, null, 0);
  }

  #name(object: number): string {
    const { cursor } = this.#context;
    const offset = this.#offset(object);
    if (offset < 0 || this.#layout === null) return '';
    try {
      cursor.pos = offset;
      walk(cursor, this.#layout, this.#slot);
      return objectClassName(this.#text?.read(this.#slot[0]!) ?? '');
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return '';
    }
  }

  #offset(object: number): number {
    const { objectNumbers } = this.#target.samples;
    if (this.#keys.length < objectNumbers.length) this.#keys = objectNumbers.keys();
    return this.#type === undefined ? -1 : this.#context.pools.offset(this.#type.id, this.#keys[object]!);
  }
}
