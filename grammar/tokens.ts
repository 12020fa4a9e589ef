// The token types of Java, as a chevrotain Lexer tells them apart; words with one role in the grammar share a type.
import { createToken, Lexer, type TokenType } from 'chevrotain';

/** Characters that may stand in an identifier, the parts of a regular expression's character class. */
const START =
  'A-Za-z_$\\u00a2-\\u00a5\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u200b-\\u200f\\u203f-\\u2040\\u2070-\\u21ff\\u2c00-\\u2fff\\u3005-\\ufefe\\uff00-\\uffef';
const CHARACTER = '[\\0-\\uffff]';
const ESCAPE = '\\\\u+[0-9a-fA-F]{4}';
const WORD_END = `(?![\\w$\\u00a2-\\uffef\\\\])`;

/** Reserved words by the token type they belong to; contextual keywords (`record`, `yield` …) are identifiers. */
const WORDS = {
  Modifier: ['public', 'private', 'protected', 'abstract', 'native', 'transient', 'volatile', 'strictfp'],
  Primitive: ['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double'],
  Value: ['true', 'false', 'null'],
  Condition: ['if', 'while'],
  Flow: ['return', 'throw', 'break', 'continue', 'goto', 'const'],
  Block: ['else', 'do', 'finally'],
  Static: ['static'],
  Final: ['final'],
  Default: ['default'],
  Synchronized: ['synchronized'],
  Void: ['void'],
  Class: ['class'],
  Interface: ['interface'],
  Enum: ['enum'],
  Extends: ['extends'],
  Implements: ['implements'],
  Throws: ['throws'],
  Import: ['import'],
  Package: ['package'],
  New: ['new'],
  This: ['this'],
  Super: ['super'],
  InstanceOf: ['instanceof'],
  For: ['for'],
  Try: ['try'],
  Catch: ['catch'],
  Switch: ['switch'],
  Case: ['case'],
  Assert: ['assert'],
} as const;

const reserved = Object.values(WORDS).flat().join('|');

/** Every token there is. */
export const Any = createToken({ name: 'Any', pattern: Lexer.NA });
/** Tokens that may stand between the parentheses of annotations and enum constants, parentheses apart. */
export const Inside = createToken({ name: 'Inside', pattern: Lexer.NA, categories: [Any] });
/** Tokens without a role of their own in code: literals, operators, `true` … */
const Plain = createToken({ name: 'Plain', pattern: Lexer.NA, categories: [Inside] });
/** Tokens that a type begins with. */
export const TypeWord = createToken({ name: 'TypeWord', pattern: Lexer.NA });
/** Tokens that may stand between the angle brackets of type arguments, angle brackets and parentheses apart. */
export const InAngles = createToken({ name: 'InAngles', pattern: Lexer.NA });
export const Brace = createToken({ name: 'Brace', pattern: Lexer.NA });
export const ModifierWord = createToken({ name: 'ModifierWord', pattern: Lexer.NA });

function word(name: keyof typeof WORDS, ...categories: TokenType[]): TokenType {
  const pattern = new RegExp(`(?:${WORDS[name].join('|')})${WORD_END}`);
  return createToken({ name, pattern, categories: [Any, ...categories] });
}

function sign(name: string, pattern: string | RegExp, ...categories: TokenType[]): TokenType {
  return createToken({ name, pattern, categories: [Any, ...categories] });
}

const Space = createToken({ name: 'Space', pattern: /[ \t\r\n\f]+/, group: Lexer.SKIPPED });
const LineComment = createToken({ name: 'LineComment', pattern: /\/\/[^\n\r]*/, group: Lexer.SKIPPED });
const BlockComment = createToken({ name: 'BlockComment', pattern: /\/\*[\s\S]*?\*\//, group: Lexer.SKIPPED });
/** Runs to the end of the text; kept in a group of its own, so that it can be reported. */
const OpenComment = createToken({ name: 'OpenComment', pattern: /\/\*[\s\S]*/, group: 'unterminated' });

export const Identifier = createToken({
  name: 'Identifier',
  pattern: new RegExp(`(?!(?:${reserved})${WORD_END})(?:[${START}]|${ESCAPE})(?:[\\w$${START}]|${ESCAPE})*`),
  categories: [TypeWord, InAngles, Inside],
});
export const NonSealed = sign('NonSealed', new RegExp(`non-sealed${WORD_END}`), ModifierWord);

export const Modifier = word('Modifier', ModifierWord);
export const Primitive = word('Primitive', TypeWord, InAngles, Inside);
export const Value = word('Value', Plain);
export const Condition = word('Condition', Inside);
export const Flow = word('Flow', Inside);
export const Block = word('Block', Inside);
export const Static = word('Static', ModifierWord);
export const Final = word('Final', ModifierWord, Inside);
export const Default = word('Default', ModifierWord, Inside);
export const Synchronized = word('Synchronized', ModifierWord, Inside);
export const Void = word('Void', TypeWord, Inside);
export const Class = word('Class', Inside);
export const Interface = word('Interface');
export const Enum = word('Enum');
export const Extends = word('Extends', InAngles, Inside);
export const Implements = word('Implements');
export const Throws = word('Throws');
export const Import = word('Import');
export const Package = word('Package');
export const New = word('New', Inside);
export const This = word('This', Inside);
export const Super = word('Super', InAngles, Inside);
export const InstanceOf = word('InstanceOf', Inside);
export const For = word('For', Inside);
export const Try = word('Try', Inside);
export const Catch = word('Catch', Inside);
export const Switch = word('Switch', Inside);
export const Case = word('Case', Inside);
export const Assert = word('Assert', Inside);

export const TextBlock = sign('TextBlock', /"""[ \t\f]*[\r\n](?:\\[\s\S]|[^\\])*?"""/, Plain);
export const StringLiteral = sign('StringLiteral', /"(?:\\[^\n\r]|[^"\\\n\r])*?"/, Plain);
export const CharLiteral = sign('CharLiteral', /'(?:\\[^\n\r]|[^'\\\n\r])+?'/, Plain);
/** A string or character literal that its line does not close. */
export const OpenLiteral = sign('OpenLiteral', /["'][^\n\r]*/, Plain);
export const NumberLiteral = sign(
  'NumberLiteral',
  /(?:0[xX][\da-fA-F_]*\.?[\da-fA-F_]*(?:[pP][+-]?[\d_]+)?|\.?\d[\d_]*(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?[\d_]+)?)[\w]*/,
  Plain,
);

export const LParen = sign('LParen', '(');
export const RParen = sign('RParen', ')');
export const LBracket = sign('LBracket', '[', InAngles, Inside);
export const RBracket = sign('RBracket', ']', InAngles, Inside);
export const LCurly = sign('LCurly', '{', Brace);
export const RCurly = sign('RCurly', '}', Brace);
export const Semicolon = sign('Semicolon', ';');
export const Comma = sign('Comma', ',', InAngles, Inside);
export const Ellipsis = sign('Ellipsis', '...', Inside);
export const Dot = sign('Dot', '.', InAngles, Inside);
export const ColonColon = sign('ColonColon', '::', Inside);
export const Colon = sign('Colon', ':', Inside);
export const Arrow = sign('Arrow', '->', Inside);
export const Question = sign('Question', '?', InAngles, Inside);
export const At = sign('At', '@', InAngles, Inside);
export const Less = sign('Less', '<', Inside);
/** Always one character, so that `>>` closes two lists of type arguments; shifts are several of them. */
export const Greater = sign('Greater', '>', Inside);
export const Ampersand = sign('Ampersand', '&', InAngles, Inside);
export const Pipe = sign('Pipe', '|', Inside);
export const Star = sign('Star', '*', Inside);
export const Plus = sign('Plus', '+', Inside);
export const PlusAssign = sign('PlusAssign', '+=', Inside);
export const Assign = sign('Assign', '=', Inside);
export const Operator = sign('Operator', /==|!=|<=|<<=?|>=|&&|\|\||\+\+|--|[-*/%^&|]=|[-!~/%^]/, Plain);
/** Any character that no other token takes, so that the lexer itself never fails. */
const Unknown = sign('Unknown', new RegExp(CHARACTER), Inside);

/** All types in the order in which the lexer tries them. */
export const vocabulary: TokenType[] = [
  Space,
  NonSealed,
  Identifier,
  LineComment,
  BlockComment,
  OpenComment,
  Modifier,
  Primitive,
  Value,
  Condition,
  Flow,
  Block,
  Static,
  Final,
  Default,
  Synchronized,
  Void,
  Class,
  Interface,
  Enum,
  Extends,
  Implements,
  Throws,
  Import,
  Package,
  New,
  This,
  Super,
  InstanceOf,
  For,
  Try,
  Catch,
  Switch,
  Case,
  Assert,
  TextBlock,
  StringLiteral,
  CharLiteral,
  OpenLiteral,
  NumberLiteral,
  LParen,
  RParen,
  LBracket,
  RBracket,
  LCurly,
  RCurly,
  Semicolon,
  Comma,
  Ellipsis,
  Dot,
  ColonColon,
  Colon,
  Arrow,
  PlusAssign,
  Operator,
  Question,
  At,
  Less,
  Greater,
  Ampersand,
  Pipe,
  Star,
  Plus,
  Assign,
  Unknown,
  Any,
  Inside,
  Plain,
  TypeWord,
  InAngles,
  Brace,
  ModifierWord,
];
