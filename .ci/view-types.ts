// Writes the types of the package's `insitu/views`: the messages between page and server, in one file without imports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenericSchema } from 'valibot';
import { VERDICTS } from '../server/model/verdict.ts';
import { lookSchema, methodKey, questionSchema } from '../server/views/question-schemas.ts';

/** The fields of valibot schemas that questions use. */
type Node = {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly items?: readonly Node[];
  readonly wrapped?: Node;
  readonly literal?: string;
  readonly options?: readonly (Node | string)[];
  readonly pipe?: readonly (Node & { readonly description?: string })[];
};

const NAMED = new Map<unknown, string>([
  [lookSchema, 'Look'],
  [methodKey, 'MethodKey'],
]);

/** Besides types the files hold tables of words, whose declaration is their text too. */
export function viewTypes(folder: string): string {
  const text = ['views/view-terms', 'analysis/frame-columns', 'views/view-messages']
    .map(name => readFileSync(join(folder, `server/${name}.ts`), 'utf8'))
    .join('\n')
    .replace(/^(?:import|export) (?:type )?.* from '\.[\w/.-]+\.ts';\n/gm, '');
  const lists = text.replace(
    /^export const (\w+) = (\[[^\]]*\]) as const;$/gm,
    'export declare const $1: readonly $2;',
  );
  const tables = lists.replace(/^export const (\w+) = \{\n([^}]*)\} as const;$/gm, (_, name: string, rows: string) => {
    const declared = rows.replace(/^ {2}(\w+): ([^,]+),$/gm, '  readonly $1: $2;');
    return `export declare const ${name}: {\n${declared}};`;
  });
  return [tables, verdicts(), questionTypes()].join('\n');
}

function verdicts(): string {
  const list = VERDICTS.map(each => `'${each}'`).join(', ');
  return `export declare const VERDICTS: readonly [${list}];\nexport type Verdict = (typeof VERDICTS)[number];\n`;
}

function questionTypes(): string {
  const questions = questionSchema.options.map(schema => {
    const { literal } = schema.entries.ask;
    return { name: `Ask${literal[0]!.toUpperCase()}${literal.slice(1)}`, node: nodeOf(schema) };
  });
  return [
    declared('Look', nodeOf(lookSchema)),
    ...questions.map(({ name, node }) => declared(name, node)),
    `export type Question =\n${questions.map(({ name }) => `  | ${name}`).join('\n')};\n`,
  ].join('\n');
}

function nodeOf(schema: GenericSchema): Node {
  return Object(schema);
}

function declared(name: string, node: Node): string {
  return `${commentOf(node, '')}export type ${name} = ${typeOf(bare(node), '')};\n`;
}

function typeOf(node: Node, indent: string): string {
  const known = NAMED.get(node);
  if (known !== undefined) return known;
  if (node.pipe !== undefined) return typeOf(node.pipe[0]!, indent);
  const { type, entries = {}, item, items = [], wrapped, literal, options = [] } = node;
  switch (type) {
    case 'literal':
      return `'${literal}'`;
    case 'picklist':
      return options.map(each => `'${each}'`).join(' | ');
    case 'union':
      return options.map(each => (typeof each === 'string' ? each : typeOf(each, indent))).join(' | ');
    case 'nullable':
      return `${typeOf(wrapped!, indent)} | null`;
    case 'exact_optional':
      return typeOf(wrapped!, indent);
    case 'array':
      return `ReadonlyArray<${typeOf(item!, indent)}>`;
    case 'strict_tuple':
      return `readonly [${items.map(each => typeOf(each, indent)).join(', ')}]`;
    case 'record':
      return 'Readonly<Record<string, unknown>>';
    case 'strict_object':
      return `{\n${Object.entries(entries)
        .map(([key, each]) => fieldOf(key, each, `${indent}  `))
        .join('')}${indent}}`;
    default:
      return type;
  }
}

function fieldOf(key: string, node: Node, indent: string): string {
  const mark = node.type === 'exact_optional' ? '?' : '';
  const comment = NAMED.has(node) ? '' : commentOf(node, indent);
  return `${comment}${indent}readonly ${key}${mark}: ${typeOf(node, indent)};\n`;
}

function commentOf(node: Node, indent: string): string {
  const text = meaningOf(node);
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

function meaningOf({ pipe = [], wrapped }: Node): string {
  const own = pipe.find(({ type }) => type === 'description')?.description;
  return own ?? (wrapped === undefined ? '' : meaningOf(wrapped));
}

/** A named schema is written out where it is declared. */
function bare(node: Node): Node {
  return node.pipe?.[0] ?? node;
}
