// The rules that members and code share: names, annotations, modifiers, types and parameters.
import { EmbeddedActionsParser, type IToken, NoViableAltException, type TokenType } from 'chevrotain';
import { Body } from './body-token.ts';
import { decodeName, Sheet } from './draft.ts';
import type { Parameter, TypeText } from './outline.ts';
import * as T from './tokens.ts';

/** Modifiers and annotations in front of a declaration. */
export type Prefix = { modifiers: string[]; annotations: string[] };

export const endOf = (token: IToken): number => token.startOffset + token.image.length;

/** More tokens than any list of type arguments in an expression is given. */
const ANGLES_LIMIT = 400;

const messages = {
  buildMismatchTokenMessage: (o: { expected: TokenType; actual: IToken }) =>
    `expected ${o.expected.name}, found ${o.actual.image.slice(0, 20) || 'the end of the file'}`,
  buildNotAllInputParsedMessage: () => 'unexpected text',
  buildNoViableAltMessage: (o: { actual: IToken[] }) =>
    `unexpected ${o.actual[0]?.image.slice(0, 20) ?? 'end of the file'}`,
  buildEarlyExitMessage: () => 'unexpected text',
};

export abstract class JavaParser extends EmbeddedActionsParser {
  /** Where the parsed piece starts in the file. */
  protected base = 0;
  /** Index of the token consumed last, which chevrotain keeps. */
  declare protected currIdx: number;
  protected sheet = new Sheet();
  protected text = '';
  /** The tokens are those of code, where braces are tokens of their own. */
  protected inCode = false;
  /** Last word of the type read last. */
  protected typeName: IToken | null = null;

  /** @param isValidated throws where the grammar is ambiguous; it takes as long as everything else, and the grammar stays what it is. */
  constructor(isValidated = false) {
    super([...T.vocabulary, Body], {
      maxLookahead: 1,
      errorMessageProvider: messages,
      skipValidations: !isValidated,
    });
  }

  /** Replaces chevrotain's own, which lists every alternative's paths for its message: too slow for broken files. */
  raiseNoAltException(): never {
    throw new NoViableAltException(messages.buildNoViableAltMessage({ actual: [this.LA(1)] }), this.LA(1), this.LA(0));
  }

  protected is(type: TokenType, ahead = 1): boolean {
    return this.LA(ahead).tokenType === type;
  }

  /** `void name`, which never stands between parentheses. */
  protected isVoidMethod(): boolean {
    return this.is(T.Void) && this.is(T.Identifier, 2);
  }

  protected isWord(word: string, ahead = 1): boolean {
    const token = this.LA(ahead);
    return token.tokenType === T.Identifier && token.image === word;
  }

  protected isAtEnd(): boolean {
    return this.LA(1).startOffset < 0;
  }

  protected start(ahead = 1): number {
    return this.base + this.LA(ahead).startOffset;
  }

  /** End of the token consumed last. */
  protected end(): number {
    return this.base + endOf(this.LA(0));
  }

  /** Number of tokens from `<` to its `>` when type arguments stand `first` tokens ahead, 0 for a comparison. */
  protected lengthOfTypeArguments(first = 1): number {
    let depth = 0;
    for (let ahead = first; ahead < ANGLES_LIMIT; ahead++) {
      const { tokenType } = this.LA(ahead);
      if (tokenType === T.Less) depth++;
      else if (tokenType === T.Greater && --depth === 0) return ahead - first + 1;
      else if (tokenType !== T.Greater && tokenType.CATEGORIES?.includes(T.InAngles) !== true) return 0;
    }
    return 0;
  }

  readonly qualifiedName = this.RULE('qualifiedName', (): string => {
    let name = decodeName(this.CONSUME(T.Identifier).image);
    this.MANY({
      GATE: () => this.is(T.Identifier, 2),
      DEF: () => {
        this.CONSUME(T.Dot);
        name += `.${decodeName(this.CONSUME2(T.Identifier).image)}`;
      },
    });
    return name;
  });

  /** `( … )` with everything inside, by counting. A word that can only begin a member ends it early. */
  readonly parenthesised = this.RULE('parenthesised', () => {
    let depth = 0;
    this.CONSUME(T.LParen);
    this.MANY({
      GATE: () => (depth > 0 || !this.is(T.RParen)) && (!this.is(T.Class) || this.is(T.Dot, 0)) && !this.isVoidMethod(),
      DEF: () =>
        this.OR([
          {
            ALT: () => {
              this.CONSUME2(T.LParen);
              depth++;
            },
          },
          {
            ALT: () => {
              this.CONSUME(T.RParen);
              depth--;
            },
          },
          { ALT: () => this.CONSUME(T.Inside) },
          { GATE: () => this.inCode, ALT: () => this.CONSUME(T.Brace) },
        ]),
    });
    this.CONSUME2(T.RParen);
  });

  /** An annotation; the value is its simple name. */
  readonly annotation = this.RULE('annotation', (): string => {
    this.CONSUME(T.At);
    return this.SUBRULE(this.annotationRest);
  });

  /** An annotation behind its `@`. */
  readonly annotationRest = this.RULE('annotationRest', (): string => {
    const name = this.SUBRULE(this.qualifiedName);
    this.OPTION(() => this.SUBRULE(this.parenthesised));
    return this.ACTION(() => name.slice(name.lastIndexOf('.') + 1));
  });

  /** Modifiers and annotations in any order; `sealed` counts only in front of something else that begins a declaration. */
  readonly modifiers = this.RULE('modifiers', (): Prefix => {
    const prefix: Prefix = { modifiers: [], annotations: [] };
    this.MANY({
      GATE: () => (!this.is(T.Identifier) || this.isSealed()) && !(this.is(T.At) && this.is(T.Interface, 2)),
      DEF: () =>
        this.OR([
          { ALT: () => prefix.annotations.push(this.SUBRULE(this.annotation)) },
          { ALT: () => prefix.modifiers.push(this.CONSUME(T.ModifierWord).image) },
          { ALT: () => prefix.modifiers.push(this.CONSUME(T.Identifier).image) },
        ]),
    });
    return prefix;
  });

  private isSealed(): boolean {
    if (this.LA(1).image !== 'sealed') return false;
    const next = this.LA(2).tokenType;
    return next === T.Class || next === T.Interface || next === T.Modifier || next === T.Static || next === T.Final;
  }

  /** `<…>` with everything inside, by counting, so that no depth of nesting overflows. */
  readonly typeArguments = this.RULE('typeArguments', () => {
    let depth = 0;
    this.CONSUME(T.Less);
    this.MANY({
      GATE: () => depth > 0 || !this.is(T.Greater),
      DEF: () =>
        this.OR([
          {
            ALT: () => {
              this.CONSUME2(T.Less);
              depth++;
            },
          },
          {
            ALT: () => {
              this.CONSUME(T.Greater);
              depth--;
            },
          },
          { ALT: () => this.SUBRULE(this.parenthesised) },
          { ALT: () => this.CONSUME(T.InAngles) },
        ]),
    });
    this.CONSUME2(T.Greater);
  });

  /** A type as written; annotations and type arguments are read over. */
  readonly type = this.RULE('type', (): TypeText => {
    this.MANY(() => this.SUBRULE(this.annotation));
    let word = this.CONSUME(T.TypeWord);
    let name = word.image;
    this.MANY2(() =>
      this.OR([
        { ALT: () => this.SUBRULE(this.typeArguments) },
        {
          ALT: () => {
            this.CONSUME(T.Dot);
            this.MANY3(() => this.SUBRULE2(this.annotation));
            word = this.CONSUME(T.Identifier);
            name += `.${word.image}`;
          },
        },
      ]),
    );
    this.typeName = word;
    return { name: decodeName(name), dimensions: this.moreDimensions() };
  });

  /** Pairs of brackets, each perhaps annotated; the value is their number. */
  readonly dimensions = this.RULE('dimensions', (): number => {
    let count = 0;
    this.MANY({
      GATE: () => this.is(T.At) || this.is(T.RBracket, 2),
      DEF: () =>
        this.OR([
          { ALT: () => this.SUBRULE(this.annotation) },
          {
            ALT: () => {
              this.CONSUME(T.LBracket);
              this.CONSUME(T.RBracket);
              count++;
            },
          },
        ]),
    });
    return count;
  });

  /** Pairs of brackets, without the cost of a rule where there are none, as almost everywhere. */
  protected moreDimensions(): number {
    const begin = this.RECORDING_PHASE || this.is(T.LBracket) || this.is(T.At);
    return begin ? this.SUBRULE(this.dimensions) : 0;
  }

  /** One parameter; undefined for a receiver (`Outer this`, `Outer Outer.this`). */
  readonly parameter = this.RULE('parameter', (): Parameter | undefined => {
    if (this.RECORDING_PHASE || !this.is(T.Primitive)) this.SUBRULE(this.modifiers);
    const type = this.SUBRULE(this.type);
    const varargs = this.OPTION(() => this.CONSUME(T.Ellipsis)) !== undefined;
    this.MANY({
      GATE: () => this.is(T.Dot, 2),
      DEF: () => {
        this.CONSUME(T.Identifier);
        this.CONSUME(T.Dot);
      },
    });
    const isReceiver = this.OPTION2(() => this.CONSUME(T.This)) !== undefined;
    return this.OPTION3({
      GATE: () => !isReceiver,
      DEF: () => this.SUBRULE(this.parameterName, { ARGS: [type, varargs] }),
    });
  });

  readonly parameterName = this.RULE('parameterName', (type: TypeText | null, varargs: boolean): Parameter => {
    const name = this.CONSUME(T.Identifier).image;
    const more = this.moreDimensions();
    return this.ACTION(() => ({ name: decodeName(name), type: widened(type, more + (varargs ? 1 : 0)), varargs }));
  });

  /** `( … )` of a method, a record header or a lambda; a lambda's parameters may be names alone. */
  readonly parameters = this.RULE('parameters', (): Parameter[] => {
    this.CONSUME(T.LParen);
    return this.SUBRULE(this.parametersRest);
  });

  /** Parameters behind their `(`. */
  readonly parametersRest = this.RULE('parametersRest', (): Parameter[] => {
    const found: Parameter[] = [];
    this.MANY({
      GATE: () => !this.is(T.RParen),
      DEF: () => {
        const parameter = this.OR([
          { GATE: () => this.isBareName(), ALT: () => this.SUBRULE(this.parameterName, { ARGS: [null, false] }) },
          { ALT: () => this.SUBRULE(this.parameter) },
        ]);
        if (parameter) found.push(parameter);
        this.OPTION(() => this.CONSUME(T.Comma));
      },
    });
    this.CONSUME(T.RParen);
    return found;
  });

  private isBareName(): boolean {
    return this.is(T.Identifier) && (this.is(T.Comma, 2) || this.is(T.RParen, 2));
  }
}

/** The type with more dimensions; null for `var`. */
export function widened(type: TypeText | null, more: number): TypeText | null {
  if (type?.name === 'var') return null;
  return type === null || more === 0 ? type : { name: type.name, dimensions: type.dimensions + more };
}
