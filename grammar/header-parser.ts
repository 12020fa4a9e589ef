// The rules of clauses that hold no code: imports, package, module, type parameters and supertypes.
import { EOF, type IToken, type TokenType } from 'chevrotain';
import { Body } from './body-token.ts';
import { Draft, decodeName, type Region } from './draft.ts';
import { endOf, JavaParser, type Prefix } from './java-parser.ts';
import { isFirstInLine, marginAt } from './margins.ts';
import type { DeclarationKind, Import, TypeText } from './outline.ts';
import * as T from './tokens.ts';

type TypeParameter = { readonly name: string; readonly bound: TypeText | null };

/** Where a member stands: the declaration around it, its first character, its modifiers. */
export type Place = { readonly owner: Draft | null; readonly start: number; readonly prefix: Prefix };

/** Stands for the place and the declaration while chevrotain records the rules, which it does by calling them bare. */
export const nowhere: Place = { owner: null, start: 0, prefix: { modifiers: [], annotations: [] } };
export const nothing = new Draft('class', null, 0);

/** A type whose members are being read. */
export type OpenType = {
  readonly draft: Draft;
  /** Its members have not begun; an enum has its constants in front of them. */
  beforeMembers: boolean;
  /** −1, or the column of the type when indentation decides where it ends. */
  margin: number;
  /** Column in which the members of the type around it stand. */
  readonly outerColumn: number;
};

/** More tokens than stand in front of the keyword of a type in most headers. */
const HEADER_LIMIT = 60;

const beginsMember = new Set<TokenType>([T.At, T.Class, T.Interface, T.Enum, T.Import, T.Package, T.Void, T.Primitive]);
for (const type of [T.Modifier, T.Static, T.Final, T.Default, T.Synchronized, T.NonSealed]) beginsMember.add(type);
const endsOperand = new Set<TokenType>([
  T.Identifier,
  T.NumberLiteral,
  T.StringLiteral,
  T.TextBlock,
  T.CharLiteral,
  Body,
]);

export abstract class HeaderParser extends JavaParser {
  protected region: Region | null = null;
  protected depth = 0;
  protected byIndentation = false;
  /** Column in which the members of the current type stand. */
  protected memberColumn = 0;
  /** The types around what is read, the innermost last, without the types around a region. */
  protected types: OpenType[] = [];

  /** The declaration around the members that are read; null outside of all. */
  protected get owner(): Draft | null {
    return this.types.at(-1)?.draft ?? this.region?.owner ?? null;
  }

  protected get readsConstants(): boolean {
    return this.types.at(-1)?.beforeMembers === true;
  }

  protected open(kind: DeclarationKind, place: Place): Draft {
    const draft = new Draft(kind, place.owner, place.start);
    draft.modifiers = place.prefix.modifiers;
    draft.annotations = place.prefix.annotations;
    this.sheet.drafts.push(draft);
    return draft;
  }

  protected name(draft: Draft, token: IToken): true {
    draft.name = decodeName(token.image);
    draft.nameStart = this.base + token.startOffset;
    draft.nameEnd = this.base + endOf(token);
    return true;
  }

  protected leave(what: Region['what'], start: number, end: number, owner: Draft): void {
    this.sheet.regions.push({ what, start, end, owner, depth: this.depth + 1 });
  }

  /** Notes that the members of a type follow. Asked behind its `{`. */
  protected openType(draft: Draft): void {
    this.types.push({ draft, beforeMembers: true, margin: -1, outerColumn: this.memberColumn });
  }

  /** Ends the types of which no constant or member follows, the innermost first. */
  protected endTypes(): void {
    for (let type = this.types.at(-1); type !== undefined; type = this.types.at(-1)) {
      if (type.beforeMembers) {
        if (type.draft.kind === 'enum' && this.beginsConstant()) return;
        type.beforeMembers = false;
        // A star here is what is left of a comment, which stands one column deeper than what it is about.
        this.memberColumn = this.column(1) - (this.is(T.Star) ? 1 : 0);
        if (this.byIndentation) type.margin = this.usableMargin(type.draft);
      }
      if (!this.isAtEnd() && !this.closesType(type.margin)) return;
      this.endType(type);
    }
  }

  private endType({ draft, margin, outerColumn }: OpenType): void {
    this.types.pop();
    this.depth--;
    this.memberColumn = outerColumn;
    const isClosed = this.is(T.RCurly) && this.column(1) >= margin;
    if (isClosed) this.CONSUME(T.RCurly);
    draft.end = draft.bodyEnd = this.end();
    if (!isClosed) this.unbalanced('a closing brace is missing', draft.bodyStart);
  }

  private beginsConstant(): boolean {
    const { tokenType } = this.LA(1);
    if (tokenType === T.At) return !this.is(T.Interface, 2);
    return tokenType === T.Identifier || tokenType.CATEGORIES?.includes(T.ModifierWord) === true;
  }

  protected unbalanced(message: string, at: number): void {
    this.sheet.unbalanced = true;
    this.sheet.problem(message, at, at + 1);
  }

  /** The kind of type whose declaration begins here, after its modifiers. */
  protected typeKind(): DeclarationKind | null {
    const next = this.LA(1).tokenType;
    if (next === T.Class) return 'class';
    if (next === T.Interface) return 'interface';
    if (next === T.Enum) return 'enum';
    if (next === T.At) return this.is(T.Interface, 2) ? 'annotation' : null;
    if (!this.isWord('record') || !this.is(T.Identifier, 2)) return null;
    return this.is(T.LParen, 3) || this.is(T.Less, 3) ? 'record' : null;
  }

  /** Whether the next token is the first of its line and one that a member begins with, or closes a type. */
  protected mayBegin(): boolean {
    const next = this.LA(1);
    if (next.tokenType === T.RCurly) return true;
    if (next.tokenType === T.Identifier) return this.startsLine(next) && this.column(1) === this.memberColumn;
    return beginsMember.has(next.tokenType) && this.startsLine(next);
  }

  /** Whether the members of a type end here. `margin` is −1, or the column of the type when indentation decides. */
  private closesType(margin: number): boolean {
    if (margin < 0 || !this.startsLine(this.LA(1))) return this.is(T.RCurly);
    if (this.column(1) > margin) return false;
    // A file's types are followed by types alone: any other member merely stands in a strange column.
    return this.is(T.RCurly) || (this.mayBegin() && (this.depth > 1 || this.beginsType()));
  }

  /** Whether a type's header begins here, modifiers and annotations in front. */
  private beginsType(): boolean {
    for (let ahead = 1; ahead < HEADER_LIMIT; ahead++) {
      const type = this.LA(ahead).tokenType;
      if (type === T.Class || type === T.Interface || type === T.Enum) return true;
      if (this.isWord('record', ahead) && this.is(T.Identifier, ahead + 1)) return true;
      if (type === T.Semicolon || type === T.Assign || type === T.LCurly || type === Body || type === EOF) return false;
    }
    return false;
  }

  /** Column of a type whose members are indented deeper, −1 when they are not. Asked behind its `{`. */
  private usableMargin(draft: Draft): number {
    const margin = marginAt(this.text, draft.start);
    return this.column(1) > margin || this.is(T.RCurly) ? margin : -1;
  }

  /** Column of the line on which a token stands. */
  protected column(ahead: number): number {
    const token = this.LA(ahead);
    return token.startOffset < 0 ? 0 : marginAt(this.text, this.base + token.startOffset);
  }

  private startsLine(token: IToken): boolean {
    return isFirstInLine(this.text, this.base + token.startOffset);
  }

  /** Whether an expression outside parentheses ends before the next token: at its end, or where no token may follow the last. */
  protected endsExpression(): boolean {
    const next = this.LA(1).tokenType;
    if (next === T.RParen || next === T.Modifier) return true;
    if (next === T.Comma) return this.is(T.Identifier, 2) && this.beginsDeclarator();
    if (!endsOperand.has(this.LA(0).tokenType)) return false;
    const isWord =
      next === T.Identifier || next === T.Primitive || next === T.Void || next === T.At || next === T.Class;
    return isWord && this.startsLine(this.LA(1));
  }

  private beginsDeclarator(): boolean {
    return this.is(T.Assign, 3) || this.is(T.Comma, 3) || this.is(T.Semicolon, 3) || this.is(T.LBracket, 3);
  }

  protected readonly importClause = this.RULE('importClause', () => {
    this.CONSUME(T.Import);
    const isStatic = this.OPTION(() => this.CONSUME(T.Static)) !== undefined;
    const isModule =
      this.OPTION2({
        GATE: () => this.isWord('module') && this.is(T.Identifier, 2),
        DEF: () => this.CONSUME(T.Identifier),
      }) !== undefined;
    const name = this.SUBRULE(this.qualifiedName);
    const onDemand =
      this.OPTION3(() => {
        this.CONSUME(T.Dot);
        this.CONSUME(T.Star);
        return true;
      }) === true;
    this.ACTION(() => this.sheet.imports.push({ name, kind: importKind(isStatic, isModule, onDemand) }));
    this.CONSUME(T.Semicolon);
  });

  protected readonly packageClause = this.RULE('packageClause', () => {
    this.CONSUME(T.Package);
    const name = this.SUBRULE(this.qualifiedName);
    this.ACTION(() => {
      this.sheet.packageName = name;
    });
    this.CONSUME(T.Semicolon);
  });

  /** `open module a.b { … }`: nothing in it runs, so that its directives are not read. */
  protected readonly moduleDeclaration = this.RULE('moduleDeclaration', () => {
    this.CONSUME(T.Identifier);
    this.OPTION({ GATE: () => this.is(T.Identifier, 2), DEF: () => this.CONSUME2(T.Identifier) });
    this.SUBRULE(this.qualifiedName);
    this.CONSUME(Body);
  });

  /** Whether `module a.b {` or `open module a.b {` stands here; both words may be names elsewhere. */
  protected isModule(): boolean {
    let ahead = this.isWord('open') ? 2 : 1;
    if (!this.isWord('module', ahead) || !this.is(T.Identifier, ahead + 1)) return false;
    ahead += 2;
    while (this.is(T.Dot, ahead) && this.is(T.Identifier, ahead + 1)) ahead += 2;
    return this.is(Body, ahead);
  }

  protected readonly typeParameters = this.RULE('typeParameters', (): TypeParameter[] => {
    const found: TypeParameter[] = [];
    this.CONSUME(T.Less);
    this.MANY_SEP({
      SEP: T.Comma,
      DEF: () => {
        this.SUBRULE(this.modifiers);
        const name = decodeName(this.CONSUME(T.Identifier).image);
        const bound = this.OPTION(() => this.SUBRULE(this.bounds)) ?? null;
        found.push({ name, bound });
      },
    });
    this.CONSUME(T.Greater);
    return found;
  });

  /** `extends A & B`: the first counts, the type variable erases to it. */
  private readonly bounds = this.RULE('bounds', (): TypeText => {
    this.CONSUME(T.Extends);
    const first = this.SUBRULE(this.type);
    this.MANY(() => {
      this.CONSUME(T.Ampersand);
      this.SUBRULE2(this.type);
    });
    return first;
  });

  protected readonly supertypes = this.RULE('supertypes', (): TypeText[] => {
    const found: TypeText[] = [];
    this.MANY(() => {
      const isPermits =
        this.OR([
          { ALT: () => this.CONSUME(T.Extends) },
          { ALT: () => this.CONSUME(T.Implements) },
          { ALT: () => this.CONSUME(T.Identifier) },
        ]).tokenType === T.Identifier;
      this.MANY_SEP({
        SEP: T.Comma,
        DEF: () => {
          const type = this.SUBRULE(this.type);
          if (!isPermits) found.push(type);
        },
      });
    });
    return found;
  });
}

function importKind(isStatic: boolean, isModule: boolean, onDemand: boolean): Import['kind'] {
  if (isModule) return 'module';
  if (isStatic) return onDemand ? 'staticOnDemand' : 'static';
  return onDemand ? 'onDemand' : 'type';
}
