// An outline prepared for questions: types by binary name, and each type's members, constructors, initialisers and lambdas.

import type { Declaration, Outline } from '../../grammar/outline.ts';

/** Members of one type. All lists hold rows of `outline.declarations` in source order. */
export type TypeIndex = {
  readonly declaration: Declaration;
  readonly methodsByName: ReadonlyMap<string, readonly number[]>;
  readonly constructors: readonly number[];
  /** The declarations that run inside `<clinit>`: static blocks, static field initialisers, enum constants. */
  readonly staticInitializers: readonly number[];
  /** The declarations that run inside every `<init>` that calls no `this(...)`: blocks and field initialisers. */
  readonly instanceInitializers: readonly number[];
  readonly fields: readonly number[];
  readonly lambdas: readonly LambdaPlace[];
  /** Places of method references; a few of them become lambda methods of their own. */
  readonly references: readonly ReferencePlace[];
};

/** A lambda with what the compiler's numbering looks at. */
export type LambdaPlace = {
  readonly declaration: number;
  /** Row of the method, initialiser, field or lambda in which it stands. */
  readonly parent: number;
  /** The member's name as the compiler writes it into `lambda$owner$N`: a method's name, `new` or `static`. */
  readonly owner: string;
  /** Whether it stands inside another lambda of the same class. */
  readonly nested: boolean;
  readonly start: number;
  readonly end: number;
};

/** A method reference: `declaration` is the method, initialiser or lambda whose code it is. */
export type ReferencePlace = {
  readonly declaration: number;
  /** The name referred to; `new` for constructors of classes and arrays. */
  readonly name: string;
  readonly owner: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
};

export type OutlineIndex = {
  readonly outline: Outline;
  readonly typeByName: ReadonlyMap<string, TypeIndex>;
  /** Innermost type around each declaration (its own row for a type), −1 outside all types. */
  readonly typeOfRow: Int32Array;
  /** Constructors that call `this(...)` and so leave the initialisers to another. */
  readonly delegating: ReadonlySet<number>;
  /** Types by simple name inside each enclosing declaration (−1: top level): `scopes.get(row)?.get('Entry')`. */
  readonly scopes: ReadonlyMap<number, ReadonlyMap<string, string>>;
};

/** Whether a declaration is a type of any kind. */
export function isType(declaration: Declaration): boolean {
  return declaration.binaryName !== '';
}

/** Whether a member belongs to the class, not to an instance; members that are static without saying so included. */
export function isStaticMember(outline: Outline, member: Declaration): boolean {
  if (member.kind === 'staticInitializer' || member.kind === 'enumConstant') return true;
  if (member.modifiers.includes('static')) return true;
  const parent = outline.declarations[member.parent];
  const inInterface = parent !== undefined && (parent.kind === 'interface' || parent.kind === 'annotation');
  if (member.kind === 'field') return inInterface;
  if (isType(member)) return inInterface || ['interface', 'annotation', 'enum', 'record'].includes(member.kind);
  return false;
}

/**
 * Row of the declaration around one. Code before the body of an enum constant or an anonymous class is an argument and
 * runs outside that class.
 */
function ownerRow(outline: Outline, { parent, span }: Declaration): number {
  const owner = outline.declarations[parent];
  if (owner === undefined || owner.body === null) return parent;
  const isExpression = owner.kind === 'anonymousClass' || owner.kind === 'enumConstant';
  if (isExpression && span.start < owner.body.start) return owner.parent;
  return parent;
}

type MutableType = {
  declaration: Declaration;
  methodsByName: Map<string, number[]>;
  constructors: number[];
  staticInitializers: number[];
  instanceInitializers: number[];
  fields: number[];
  lambdas: LambdaPlace[];
  references: ReferencePlace[];
};

/** Takes time for every declaration and call: the holder of a text makes its index once. */
export function indexOutline(outline: Outline): OutlineIndex {
  const { declarations } = outline;
  const typeOfRow = new Int32Array(declarations.length).fill(-1);
  const types = new Map<number, MutableType>();
  const typeByName = new Map<string, TypeIndex>();
  const scopes = new Map<number, Map<string, string>>();
  const owners: string[] = new Array(declarations.length).fill('');
  for (const declaration of declarations) {
    const { row } = declaration;
    const parent = ownerRow(outline, declaration);
    const enclosing = parent < 0 ? -1 : typeOfRow[parent]!;
    const outer = types.get(enclosing);
    typeOfRow[row] = enclosing;
    if (outer !== undefined) {
      owners[row] = parent === enclosing ? lambdaOwner(outline, declaration) : owners[parent]!;
      if (declaration.kind === 'lambda') addLambda(outline, outer, declaration, owners[row]!);
      else if (parent === enclosing) addMember(outline, outer, declaration);
    }
    if (!isType(declaration)) continue;
    typeOfRow[row] = row;
    const type = emptyType(declaration);
    types.set(row, type);
    if (!typeByName.has(declaration.binaryName)) typeByName.set(declaration.binaryName, type);
    if (declaration.name !== '') scopeOf(scopes, parent).set(declaration.name, declaration.binaryName);
  }
  const delegating = new Set<number>();
  for (const call of outline.callSites) {
    if (call.kind === 'this') delegating.add(call.declaration);
    if (call.kind !== 'methodReference') continue;
    const type = types.get(typeOfRow[call.declaration] ?? -1);
    if (type === undefined) continue;
    const { start, end } = call.nameSpan;
    const { declaration, name, line } = call;
    const owner = owners[call.declaration]!;
    type.references.push({ declaration, name, owner, line, start, end });
  }
  return { outline, typeByName, typeOfRow, delegating, scopes };
}

function emptyType(declaration: Declaration): MutableType {
  return {
    declaration,
    methodsByName: new Map(),
    constructors: [],
    staticInitializers: [],
    instanceInitializers: [],
    fields: [],
    lambdas: [],
    references: [],
  };
}

function scopeOf(scopes: Map<number, Map<string, string>>, parent: number): Map<string, string> {
  let scope = scopes.get(parent);
  if (scope === undefined) {
    scope = new Map();
    scopes.set(parent, scope);
  }
  return scope;
}

function lambdaOwner(outline: Outline, member: Declaration): string {
  if (member.kind === 'method') return member.name;
  // Directly in a type stand only lambdas that are arguments of enum constants.
  if (member.kind === 'lambda') return 'static';
  return isStaticMember(outline, member) ? 'static' : 'new';
}

function addLambda(outline: Outline, type: MutableType, lambda: Declaration, owner: string): void {
  const nested = outline.declarations[lambda.parent]!.kind === 'lambda';
  const { start, end } = lambda.span;
  type.lambdas.push({ declaration: lambda.row, parent: lambda.parent, owner, nested, start, end });
}

function addMember(outline: Outline, type: MutableType, member: Declaration): void {
  const { row, kind } = member;
  if (kind === 'method') {
    const list = type.methodsByName.get(member.name);
    if (list === undefined) type.methodsByName.set(member.name, [row]);
    else list.push(row);
  } else if (kind === 'constructor' || kind === 'compactConstructor') {
    type.constructors.push(row);
  } else {
    if (kind === 'field') type.fields.push(row);
    if (isType(member) && kind !== 'enumConstant') return;
    // The code behind a field's name is its initialiser.
    if (kind === 'field' && member.span.end === member.nameSpan.end) return;
    (isStaticMember(outline, member) ? type.staticInitializers : type.instanceInitializers).push(row);
  }
}
