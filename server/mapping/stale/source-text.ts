// One version of a file with what is compared of it: members by signature, declarations in their normal form.
import { callSitesOfRow, subjectOf } from '../../../grammar/assemble.ts';
import {
  type NormalForm,
  normalise,
  normaliseSyntax,
  type Subject,
  syntaxOf,
  type TokenSyntax,
} from '../../../grammar/fingerprint.ts';
import { lexerForCode, Tokens } from '../../../grammar/lexer.ts';
import type { CallSite, Declaration, Outline, TypeText } from '../../../grammar/outline.ts';
import { PIECE_TOKENS } from '../../../grammar/pieces.ts';
import { indexText, type TextIndex } from '../text-index.ts';

/** A declaration as comparing sees it. Offsets of tokens count from the start of the declaration. */
export type Form = NormalForm & {
  /** Equal for declarations with the same fingerprint. */
  readonly key: string;
};

/** Normal forms by the text of the declaration, which alone decides them. */
export type FormCache = Map<string, Form>;

/** Declarations of more characters are brought into their normal form in pieces. */
const LARGE = 100_000;

function formOf(normal: NormalForm): Form {
  return { ...normal, key: normal.words.join(' ') };
}

export class SourceText {
  readonly text: string;
  readonly outline: Outline;
  readonly #children: ReadonlyMap<number, readonly number[]>;
  readonly #forms: FormCache;
  readonly #older: FormCache;
  readonly #formOfRow = new Map<number, Form>();
  readonly #sitesOfRow = new Map<number, readonly CallSite[]>();
  #index: TextIndex | null = null;

  /** @param older forms of an earlier version; a form that is asked for again is kept in `forms`. */
  constructor(
    text: string,
    outline: Outline,
    forms: FormCache = new Map(),
    older: FormCache = new Map(),
    children: ReadonlyMap<number, readonly number[]> = childrenOf(outline),
  ) {
    this.text = text;
    this.outline = outline;
    this.#children = children;
    this.#forms = forms;
    this.#older = older;
  }

  /** A later version, which must be seen to have the same rows before anything is asked about its tree. */
  later(text: string, outline: Outline): SourceText {
    return new SourceText(text, outline, this.#forms, this.#older, this.#children);
  }

  /** Forgets forms of rows that a later version has another text of. */
  forgetForms(changed: Uint8Array): void {
    changed.forEach((isChanged, row) => {
      if (isChanged === 1 && !isNamedType(this.declaration(row))) this.#forms.delete(this.slice(row));
    });
  }

  get index(): TextIndex {
    this.#index ??= indexText(this.outline);
    return this.#index;
  }

  /** Rows directly in a declaration (−1: the file), in source order. */
  children(row: number): readonly number[] {
    return this.#children.get(row) ?? [];
  }

  declaration(row: number): Declaration {
    return this.outline.declarations[row]!;
  }

  slice(row: number): string {
    const { start, end } = this.declaration(row).span;
    return this.text.slice(start, end);
  }

  form(row: number): Form {
    return this.#known(row) ?? this.#keep(row, formOf(normalise(this.#subject(row))));
  }

  /** Works out a form in pieces: each call does one, and says whether anything is left. */
  formInPieces(row: number): () => boolean {
    const { start, end } = this.declaration(row).span;
    let tokens: Tokens | null = null;
    let syntax: TokenSyntax | null = null;
    let normal: NormalForm | null = null;
    return () => {
      if (end - start < LARGE || (tokens === null && this.#known(row) !== null)) this.form(row);
      else if (normal !== null) this.#keep(row, formOf(normal));
      else {
        tokens ??= new Tokens(this.#subject(row).text, lexerForCode());
        if (syntax !== null) normal = normaliseSyntax(this.#subject(row), syntax);
        else if (!tokens.more(PIECE_TOKENS)) syntax = syntaxOf(tokens.list);
        return true;
      }
      return false;
    };
  }

  #known(row: number): Form | null {
    const known = this.#formOfRow.get(row);
    if (known !== undefined) return known;
    const slice = this.slice(row);
    const form = this.#forms.get(slice) ?? this.#older.get(slice);
    return form === undefined ? null : this.#keep(row, form);
  }

  #keep(row: number, form: Form): Form {
    // The forms of texts typed one after another stay together for long; a type's text is another one with each of them.
    if (!isNamedType(this.declaration(row))) {
      const slice = this.slice(row);
      if (!this.#forms.has(slice)) this.#forms.set(ownString(slice), form);
    }
    this.#formOfRow.set(row, form);
    return form;
  }

  #subject(row: number): Subject {
    const subject = subjectOf(this.text, this.outline, row);
    return { ...subject, text: ownString(subject.text) };
  }

  /** Calls of a declaration's own code, in source order; only the calls that are asked for are made. */
  sites(row: number): readonly CallSite[] {
    const sites = this.#sitesOfRow.get(row) ?? callSitesOfRow(this.outline, row);
    this.#sitesOfRow.set(row, sites);
    return sites;
  }

  /** The rows inside a declaration, at any depth, a parent before its children. */
  inside(row: number): number[] {
    const found: number[] = [];
    const pending = [...this.children(row)].reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      found.push(next);
      const children = this.children(next);
      for (let i = children.length - 1; i >= 0; i--) pending.push(children[i]!);
    }
    return found;
  }
}

/** A string of its own: a slice of a text keeps all of it alive, one whole text for each declaration that was edited. */
export function ownString(cut: string): string {
  return Buffer.from(cut, 'utf16le').toString('utf16le');
}

function childrenOf({ declarations }: Outline): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const { row, parent } of declarations) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  return children;
}

/** Types with a name, whose members have names and signatures of their own. */
export function isNamedType({ kind, binaryName }: Declaration): boolean {
  return binaryName !== '' && kind !== 'anonymousClass' && kind !== 'enumConstant';
}

/** Whether a declaration has no name to be found by, only an order. */
export function isNameless({ kind }: Declaration): boolean {
  return (
    kind === 'lambda' || kind === 'anonymousClass' || kind === 'staticInitializer' || kind === 'instanceInitializer'
  );
}

/** Equal for declarations of one parent that a reader takes for the same: kind and name. Constructors follow their type's name. */
export function nameKey(declaration: Declaration): string {
  const { kind, name, supertypes } = declaration;
  if (isNamedType(declaration)) return `type ${name}`;
  if (kind === 'constructor') return kind;
  if (kind === 'anonymousClass') return `${kind} ${supertypes[0] === undefined ? '' : lastName(supertypes[0])}`;
  return `${kind} ${name}`;
}

/** Simple names that types had, and have now. */
export type RenamedTypes = ReadonlyMap<string, string>;

/** Kind, name and types of parameters, without packages: what tells overloads apart. Types count under their present names. */
export function signatureKey(declaration: Declaration, renamed: RenamedTypes): string {
  const { kind, parameters } = declaration;
  if (kind !== 'method' && kind !== 'constructor') return nameKey(declaration);
  const types = parameters.map(({ type }) => {
    if (type === null) return '?';
    const name = lastName(type);
    return `${renamed.get(name) ?? name}${'[]'.repeat(type.dimensions)}`;
  });
  return `${nameKey(declaration)}(${types.join()})`;
}

function lastName({ name }: TypeText): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
