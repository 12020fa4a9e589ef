// Checks messages at run time against the types that the package declares, those of answers apart, which schemas check: what a test has not thought of is checked too.
import { fileURLToPath } from 'node:url';
import { parseSync, type TSType } from 'oxc-parser';
import { protocolTypes } from '../../../.ci/package-types.ts';

const declared = protocolTypes(fileURLToPath(new URL('../../..', import.meta.url)));

const types = new Map<string, TSType>();
for (const statement of parseSync('protocol.d.ts', declared).program.body)
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'TSTypeAliasDeclaration')
    types.set(statement.declaration.id.name, statement.declaration.typeAnnotation);

export function hasType(name: string): boolean {
  return types.has(name);
}

/** Places at which `value` is not what the type says, keys that it does not have among them; empty when it is all right. */
export function misfits(value: unknown, typeName: string): string[] {
  const type = types.get(typeName);
  if (type === undefined) throw new Error(`the protocol has no type ${typeName}`);
  return misfitsOf(value, type, typeName);
}

function misfitsOf(value: unknown, type: TSType, at: string): string[] {
  switch (type.type) {
    case 'TSNumberKeyword':
      return typeof value === 'number' && Number.isFinite(value) ? [] : wrong(value, 'a number', at);
    case 'TSStringKeyword':
      return typeof value === 'string' ? [] : wrong(value, 'a string', at);
    case 'TSBooleanKeyword':
      return typeof value === 'boolean' ? [] : wrong(value, 'a boolean', at);
    case 'TSNullKeyword':
      return value === null ? [] : wrong(value, 'null', at);
    case 'TSLiteralType': {
      const expected = type.literal.type === 'Literal' ? type.literal.value : undefined;
      return value === expected ? [] : wrong(value, JSON.stringify(expected), at);
    }
    case 'TSTypeOperator':
      return misfitsOf(value, type.typeAnnotation, at);
    case 'TSParenthesizedType':
      return misfitsOf(value, type.typeAnnotation, at);
    case 'TSTypeReference':
      if ('name' in type.typeName && type.typeName.name === 'ReadonlyArray') {
        const [each] = type.typeArguments!.params;
        return Array.isArray(value)
          ? value.flatMap((inner, i) => misfitsOf(inner, each!, `${at}[${i}]`))
          : wrong(value, 'a list', at);
      }
      if (isUtility(type)) return membersMisfit(value, membersOf(type), at);
      return type.typeName.type === 'Identifier'
        ? misfits(value, type.typeName.name).map(each => `${at}: ${each}`)
        : [];
    case 'TSUnionType': {
      const all = type.types.map(each => misfitsOf(value, each, at));
      return all.some(found => found.length === 0) ? [] : all.flat();
    }
    case 'TSArrayType':
      if (!Array.isArray(value)) return wrong(value, 'a list', at);
      return value.flatMap((each, i) => misfitsOf(each, type.elementType, `${at}[${i}]`));
    case 'TSTupleType':
      if (!Array.isArray(value) || value.length !== type.elementTypes.length) return wrong(value, 'a tuple', at);
      return type.elementTypes.flatMap((each, i) =>
        misfitsOf(
          value[i],
          each.type === 'TSNamedTupleMember' ? (each.elementType as TSType) : (each as TSType),
          `${at}[${i}]`,
        ),
      );
    case 'TSTypeLiteral': {
      const [first] = type.members;
      if (first?.type !== 'TSIndexSignature') return membersMisfit(value, membersOf(type), at);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(value, 'an object', at);
      const each = first.typeAnnotation.typeAnnotation;
      return Object.entries(value).flatMap(([key, inner]) => misfitsOf(inner, each, `${at}.${key}`));
    }
    case 'TSIntersectionType':
      return membersMisfit(value, membersOf(type), at);
    default:
      throw new Error(`${type.type} at ${at} is not checked yet`);
  }
}

type Members = ReadonlyMap<string, { readonly type: TSType; readonly optional: boolean }>;

function membersOf(type: TSType): Members {
  if (type.type === 'TSIntersectionType') return new Map(type.types.flatMap(each => [...membersOf(each)]));
  if (isUtility(type)) return membersOfUtility(type);
  if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier')
    return membersOf(types.get(type.typeName.name)!);
  if (type.type !== 'TSTypeLiteral') throw new Error(`${type.type} has no members`);
  const members = new Map<string, { type: TSType; optional: boolean }>();
  for (const member of type.members) {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || member.typeAnnotation === null)
      throw new Error(`a member of kind ${member.type} is not checked yet`);
    members.set(member.key.name, { type: member.typeAnnotation.typeAnnotation, optional: member.optional });
  }
  return members;
}

type Utility = TSType & { readonly type: 'TSTypeReference'; readonly typeName: { readonly name: string } };

/** `Omit`, `Pick` or `Partial` of another type. */
function isUtility(type: TSType): type is Utility {
  return type.type === 'TSTypeReference' && 'name' in type.typeName && /^(Omit|Pick|Partial)$/.test(type.typeName.name);
}

function membersOfUtility({ typeName, typeArguments }: Utility): Members {
  const [of, names] = typeArguments!.params;
  const literals = names?.type === 'TSUnionType' ? names.types : names === undefined ? [] : [names];
  const named = new Set(literals.map(each => Object(each).literal.value as string));
  const members = [...membersOf(of!)].filter(
    ([name]) => typeName.name === 'Partial' || named.has(name) === (typeName.name === 'Pick'),
  );
  return new Map(
    members.map(([name, member]) => [name, typeName.name === 'Partial' ? { ...member, optional: true } : member]),
  );
}

function membersMisfit(value: unknown, members: Members, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(value, 'an object', at);
  const given = new Map(Object.entries(value));
  const unknown = [...given.keys()].filter(key => !members.has(key)).map(key => `${at}.${key}: no such key`);
  const own = Array.from(members, ([key, { type, optional }]) => {
    if (!given.has(key)) return optional ? [] : [`${at}.${key}: missing`];
    return misfitsOf(given.get(key), type, `${at}.${key}`);
  });
  return [...unknown, ...own.flat()];
}

function wrong(value: unknown, expected: string, at: string): string[] {
  return [`${at}: ${JSON.stringify(value)?.slice(0, 80)} is not ${expected}`];
}
