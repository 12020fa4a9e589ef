// Tables → outline: rows are made on demand, from tables that nothing changes.
import { Place } from './columns.ts';
import { fingerprintOf, type Subject } from './fingerprint.ts';
import type { CallSite, Declaration, DeclarationKind, Local, Outline, Span } from './outline.ts';
import { callSitesBetween, callSitesIn, callSitesOf, linesOf, localNamesIn, localsOf, problemRowsOf } from './rows.ts';
import type { Tables } from './tables.ts';

/** Kinds that carry a fingerprint. */
const compared = new Set<DeclarationKind>([
  'method',
  'constructor',
  'compactConstructor',
  'staticInitializer',
  'instanceInitializer',
  'field',
]);

/**
 * The outline that the tables of a text stand for. `hasCode` says that bodies were read: without them nothing is known of their
 * names, and there are no fingerprints.
 */
export function assemble(
  tables: Tables,
  textOf: () => string,
  { file, hasCode = true }: { readonly file: string; readonly hasCode?: boolean },
): Outline {
  return new LazyOutline(tables, textOf, file, hasCode);
}

/** The call sites of one declaration's own code, in source order, for who needs few: an outline that is typed over has thousands. */
export function callSitesOfRow(outline: Outline, declaration: number): readonly CallSite[] {
  return LazyOutline.callSitesOfRow(outline, declaration);
}

/** The call sites whose names stand in a span, whatever declaration they are of, in source order. */
export function callSitesWithin(outline: Outline, span: Span): readonly CallSite[] {
  return LazyOutline.callSitesWithin(outline, span);
}

/**
 * The data behind the rows of one outline. A class, because getters of an object's own are kept in memory that only full collections
 * look through: with them all outlines that were typed over would stay for long.
 */
class Source {
  readonly outline: Outline;
  readonly hasCode: boolean;
  readonly #textOf: () => string;

  constructor(outline: Outline, textOf: () => string, hasCode: boolean) {
    this.outline = outline;
    this.#textOf = textOf;
    this.hasCode = hasCode;
  }

  get text(): string {
    return this.#textOf();
  }
}

/** An outline that makes its rows when they are first asked for. */
class LazyOutline implements Outline {
  // Properties of the object itself, so that a copy by spreading and JSON have them. All outlines share these functions: with
  // functions of its own, each object would be laid out anew, which takes longer than reading a small file.
  static readonly #rows: PropertyDescriptorMap & ThisType<LazyOutline> = {
    declarations: {
      enumerable: true,
      get() {
        this.#declarations ??= declarationsOf(this.#tables, new Source(this, this.#textOf, this.#hasCode));
        return this.#declarations;
      },
    },
    callSites: {
      enumerable: true,
      get() {
        this.#callSites ??= this.#hasCode ? callSitesOf(this.#tables) : [];
        return this.#callSites;
      },
    },
    locals: {
      enumerable: true,
      get() {
        this.#locals ??= localsOf(this.#tables);
        return this.#locals;
      },
    },
  };
  readonly #tables: Tables;
  readonly #textOf: () => string;
  readonly #hasCode: boolean;
  #declarations: readonly Declaration[] | null = null;
  #callSites: readonly CallSite[] | null = null;
  #locals: readonly Local[] | null = null;
  declare readonly file: string;
  declare readonly packageName: string;
  declare readonly imports: Outline['imports'];
  declare readonly declarations: readonly Declaration[];
  declare readonly callSites: readonly CallSite[];
  declare readonly locals: readonly Local[];
  declare readonly problems: Outline['problems'];
  declare readonly lineStarts: Int32Array;

  constructor(tables: Tables, textOf: () => string, file: string, hasCode: boolean) {
    this.#tables = tables;
    this.#textOf = textOf;
    this.#hasCode = hasCode;
    this.file = file;
    this.packageName = tables.packageName;
    this.imports = tables.imports;
    Object.defineProperties(this, LazyOutline.#rows);
    this.problems = problemRowsOf(tables);
    this.lineStarts = tables.lineStarts;
  }

  static callSitesOfRow(outline: Outline, declaration: number): readonly CallSite[] {
    if (#tables in outline && outline.#callSites === null && outline.#hasCode)
      return callSitesIn(outline.#tables, declaration);
    return outline.callSites.filter(site => site.declaration === declaration);
  }

  static callSitesWithin(outline: Outline, { start, end }: Span): readonly CallSite[] {
    if (#tables in outline && outline.#callSites === null && outline.#hasCode)
      return callSitesBetween(outline.#tables, start, end);
    return outline.callSites.filter(({ nameSpan }) => start <= nameSpan.start && nameSpan.start < end);
  }

  static localNamesIn(outline: Outline, { start, end }: Span): readonly string[] {
    if (#tables in outline && outline.#locals === null) return localNamesIn(outline.#tables, start, end);
    const inSpan = outline.locals.filter(({ nameSpan }) => start <= nameSpan.start && nameSpan.start < end);
    return inSpan.map(({ name }) => name);
  }
}

function declarationsOf(tables: Tables, source: Source): Declaration[] {
  const lines = linesOf(tables);
  return tables.declarations.heads.map((_, row) => new Row(tables, row, lines[row]!, source));
}

/** A declaration. Its fingerprint is worked out on demand, as most outlines are never compared. */
class Row implements Declaration {
  readonly row: number;
  readonly parent: number;
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly body: Span | null;
  readonly binaryName: string;
  readonly local: boolean;
  readonly modifiers: Declaration['modifiers'];
  readonly annotations: Declaration['annotations'];
  readonly typeParameters: Declaration['typeParameters'];
  readonly parameters: Declaration['parameters'];
  readonly type: Declaration['type'];
  readonly supertypes: Declaration['supertypes'];
  readonly lines: Declaration['lines'];
  readonly #source: Source;
  #fingerprint: string | null = null;

  constructor({ declarations, binaryNames }: Tables, row: number, lines: Declaration['lines'], source: Source) {
    const { width, heads, numbers } = declarations;
    const draft = heads[row]!;
    const at = row * width;
    const bodyStart = numbers[at + Place.bodyStart]!;
    this.row = row;
    this.parent = numbers[at]!;
    this.kind = draft.kind;
    this.name = draft.name;
    this.span = { start: numbers[at + Place.start]!, end: numbers[at + Place.end]! };
    this.nameSpan = { start: numbers[at + Place.nameStart]!, end: numbers[at + Place.nameEnd]! };
    this.body = bodyStart < 0 ? null : { start: bodyStart, end: numbers[at + Place.bodyEnd]! };
    this.binaryName = binaryNames[row]!;
    this.local = draft.local;
    this.modifiers = draft.modifiers;
    this.annotations = draft.annotations;
    this.typeParameters = draft.typeParameters;
    this.parameters = draft.parameters;
    this.type = draft.type;
    this.supertypes = draft.supertypes;
    this.lines = lines;
    this.#source = source;
  }

  get fingerprint(): string {
    if (this.#fingerprint === null) {
      const source = this.#source;
      const isCompared = source.hasCode && compared.has(this.kind);
      this.#fingerprint = isCompared ? fingerprintOf(subjectOf(source.text, source.outline, this.row)) : '';
    }
    return this.#fingerprint;
  }

  toJSON(): object {
    return { ...this, fingerprint: this.fingerprint };
  }
}

/** The text of the declaration in row `first` of an outline of `text`, with the names that are chosen freely inside it. */
export function subjectOf(text: string, outline: Outline, first: number): Subject {
  const { declarations } = outline;
  const { span, name, kind } = declarations[first]!;
  const free = new Set<string>();
  for (let row = first; row < declarations.length && declarations[row]!.span.start < span.end; row++) {
    const inner = declarations[row]!;
    for (const parameter of inner.typeParameters) free.add(parameter.name);
    if (inner.kind !== 'record') for (const parameter of inner.parameters) free.add(parameter.name);
  }
  for (const local of LazyOutline.localNamesIn(outline, span)) free.add(local);
  return { text: text.slice(span.start, span.end), name, isMethod: kind === 'method', free };
}
