// The tables that the parsers write into: declarations, calls and locals in the order in which they are met, not yet numbered.
import type { CallSite, DeclarationKind, ImplicitConstruct, Import, Parameter, TypeText } from './outline.ts';

type TypeParameter = { readonly name: string; readonly bound: TypeText | null };
const none: readonly never[] = [];

/** A declaration in the making. Offsets count from the start of the piece of text that is read. */
export class Draft {
  row = -1;
  readonly kind: DeclarationKind;
  /** Set again only by the implicit class of a compact source file, before rows are numbered. */
  owner: Draft | null;
  name = '';
  start = 0;
  end = 0;
  nameStart = 0;
  nameEnd = 0;
  bodyStart = -1;
  bodyEnd = -1;
  /** For anonymous classes: javac numbers them in this order; the place of the body unless another's turn comes first. */
  turn = -1;
  local = false;
  /** Its body, as the scan saw it, may hold declarations. */
  declares = false;
  modifiers: readonly string[] = none;
  annotations: readonly string[] = none;
  typeParameters: readonly TypeParameter[] = none;
  parameters: readonly Parameter[] = none;
  type: TypeText | null = null;
  supertypes: readonly TypeText[] = none;

  constructor(kind: DeclarationKind, owner: Draft | null, start: number) {
    this.kind = kind;
    this.owner = owner;
    this.start = start;
    this.nameStart = start;
    this.nameEnd = start;
    this.end = start;
  }
}

/** Whether only the class body of a declaration is apart from the code around it; the rest runs there. */
export function isBodyHole({ kind }: Pick<Draft, 'kind'>): boolean {
  return kind === 'anonymousClass' || kind === 'enumConstant';
}

/** A call in the making. */
export type CallDraft = {
  readonly owner: Draft | null;
  readonly kind: CallSite['kind'];
  readonly name: string;
  argumentCount: number;
  nameStart: number;
  nameEnd: number;
  open: number;
  /** Offset whose line the compiler gives to the call. */
  at: number;
  readonly construct: ImplicitConstruct | null;
};

export type LocalDraft = {
  readonly owner: Draft | null;
  readonly name: string;
  readonly type: TypeText | null;
  nameStart: number;
  nameEnd: number;
};

/** A piece of text that a parser has found and left to be parsed: code, the members of a class body, a local type. */
export type Region = {
  readonly what: 'code' | 'members' | 'type';
  readonly start: number;
  readonly end: number;
  readonly owner: Draft | null;
  /** How many regions it stands inside. */
  readonly depth: number;
};

/** All that was found in one piece of text. */
export class Sheet {
  packageName = '';
  readonly imports: Import[] = [];
  readonly drafts: Draft[] = [];
  readonly calls: CallDraft[] = [];
  readonly locals: LocalDraft[] = [];
  readonly regions: Region[] = [];
  readonly problems: { message: string; start: number; end: number }[] = [];
  /** Braces do not match: what was found may be better found by indentation. */
  unbalanced = false;

  problem(message: string, start: number, end: number): void {
    this.problems.push({ message, start, end });
  }
}

/** A written name: unicode escapes (`\u0041`) become their characters. */
export function decodeName(image: string): string {
  if (!image.includes('\\')) return image;
  return image.replace(/\\u+([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
