// The plain tables that the grammar makes of one Java file: declarations, lambdas and call sites, as offsets into the text.
//
// All offsets are UTF-16 code units from the start of the text, `end` exclusive; lines are 1-based, as the JVM counts them.
// A *declaration* is anything that can own code or members: types, methods, constructors, initialisers, fields, enum
// constants, lambdas. Rows are in source order of `start`, a parent before its children; row numbers die with the outline.

/** The kinds of declarations. Anonymous classes, enum constant bodies and lambdas are declarations like any other. */
export type DeclarationKind =
  | 'class'
  | 'interface'
  | 'enum'
  | 'record'
  | 'annotation'
  | 'anonymousClass'
  | 'enumConstant'
  | 'method'
  | 'constructor'
  | 'compactConstructor'
  | 'staticInitializer'
  | 'instanceInitializer'
  | 'field'
  | 'lambda';

/** A half-open piece of text: [start, end). */
export type Span = { readonly start: number; readonly end: number };

export type Declaration = {
  readonly row: number;
  /** Row of the enclosing declaration, −1 at top level. */
  readonly parent: number;
  readonly kind: DeclarationKind;
  /** Simple name as written; empty for anonymous classes, initialisers and lambdas. */
  readonly name: string;
  /** The declaration with its modifiers and annotations, comments before it excluded. */
  readonly span: Span;
  /**
   * The name; for what has none, the token it begins with (`new`, `static`, `{`, the lambda's first token). Empty, at the first
   * member, for the implicit class of a compact source file, whose body has no braces.
   */
  readonly nameSpan: Span;
  /** The body with its braces, or a lambda's expression; null where there is none. */
  readonly body: Span | null;
  /** For types only: binary name with dots and `$`, `com.acme.Outer$Inner`, `com.acme.Outer$1` (numbered as javac does); else empty. */
  readonly binaryName: string;
  /** A type that stands inside a body; its number among the same-named is in `binaryName`. */
  readonly local: boolean;
  /** Written modifiers, in order, without annotations: `['public', 'static']`. */
  readonly modifiers: readonly string[];
  /** Simple names of written annotations. */
  readonly annotations: readonly string[];
  /** Type variables in order with their first bound as written, null where none. */
  readonly typeParameters: readonly { readonly name: string; readonly bound: TypeText | null }[];
  /** Parameters of methods, constructors, lambdas, record headers. A receiver parameter is left out. */
  readonly parameters: readonly Parameter[];
  /** Return type of a method, type of a field; null where there is none or it is not written. */
  readonly type: TypeText | null;
  /** Supertypes as written: `extends` first, then `implements`; the created type for an anonymous class. */
  readonly supertypes: readonly TypeText[];
  /** Lines on which its own code stands (nested types and lambdas left out), as sorted, disjoint, inclusive pairs. */
  readonly lines: readonly (readonly [first: number, last: number])[];
  /**
   * Hash of its normalised tokens (see fingerprint.ts) for methods, constructors, initialisers and field initialisers; else empty.
   * Worked out when asked for: JSON has it, a copy by spreading does not.
   */
  readonly fingerprint: string;
};

/** A type as written, without annotations and type arguments: `java.util.Map.Entry` + dimensions. */
export type TypeText = { readonly name: string; readonly dimensions: number };

/** `type` is null for `var` and for lambda parameters without a type. Varargs are one more dimension. */
export type Parameter = { readonly name: string; readonly type: TypeText | null; readonly varargs: boolean };

/** A place that calls something. */
export type CallSite = {
  /** Row of the innermost declaration (method, initialiser, field, lambda …) whose code it is. */
  readonly declaration: number;
  /** `implicit` is a call with no call syntax: for-each, string +, unboxing, try-with-resources … */
  readonly kind: 'call' | 'new' | 'super' | 'this' | 'methodReference' | 'implicit';
  /** Called name; the created type's simple name for `new`; `super` / `this` for constructor calls. */
  readonly name: string;
  /** Number of arguments; −1 for method references and implicit calls. */
  readonly argumentCount: number;
  readonly nameSpan: Span;
  /** Offset of the `(` (or of `::`); −1 where there is none. */
  readonly openParenthesis: number;
  /** Line that javac gives to the call (of the `(` for calls, of `new`, of the reference's start). */
  readonly line: number;
  /** For an implicit call: its construct. The call's name is then one of the methods that the construct may call at run time. */
  readonly construct?: ImplicitConstruct;
};

/** Syntax that calls methods without a call being written. */
export type ImplicitConstruct =
  | 'forEach'
  | 'concatenation'
  | 'tryWithResources'
  | 'switch'
  | 'assert'
  | 'recordPattern'
  | 'superConstructor'
  | 'enumConstant';

/** A local variable, resource, catch parameter or pattern variable, with its type as far as it is written. */
export type Local = {
  /** Row of the innermost declaration whose code it is. */
  readonly declaration: number;
  readonly name: string;
  /** Null for `var`, for `A | B` in a catch, and where no type is written. */
  readonly type: TypeText | null;
  readonly nameSpan: Span;
};

/** Something the parser could not make sense of; it went on behind it. */
export type SyntaxProblem = { readonly message: string; readonly span: Span; readonly line: number };

/** One file. Never missing: a text that is not Java at all gives an outline without declarations and with problems. */
export type Outline = {
  /** Its name or path as it was given, empty where it was not: the class of a compact source file is called after it. */
  readonly file: string;
  /** Empty for the unnamed package. */
  readonly packageName: string;
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  readonly callSites: readonly CallSite[];
  /** In source order. Parameters are not among them: they stand in their declaration. */
  readonly locals: readonly Local[];
  readonly problems: readonly SyntaxProblem[];
  /** Offset at which each line starts; `lineStarts[0]` is 0. */
  readonly lineStarts: Int32Array;
};

export type Import = {
  /** `java.util.List`, or `java.util` for an on-demand import, or the module's name. */
  readonly name: string;
  readonly kind: 'type' | 'onDemand' | 'static' | 'staticOnDemand' | 'module';
};
