// Writes the reference of answers from their schemas: parameters, fields, and the terms that all answers share.
import type { GenericSchema } from 'valibot';
import { ANSWERS, SESSION_ANSWERS } from '../server/features/answers/answer-table.ts';
import { callHierarchyEntrySchema, callHierarchyRowSchema } from '../server/features/answers/call-hierarchy.ts';
import { LIMIT, listSchema } from '../server/features/answers/vocabulary.ts';
import { DOCUMENT_TERMS } from '../server/model/document-terms.ts';
import { LOOK } from '../server/model/look-schema.ts';
import { TERMS } from '../server/model/terms.ts';

type Row = { readonly name: string; readonly type: string; readonly says: string };

/** The parts of valibot's schemas that are used here. */
type Node = {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
  /** Of a schema that contains itself. */
  readonly getter?: () => Node;
  readonly options?: readonly (string | Node)[];
  readonly literal?: string;
  readonly pipe?: readonly (Node & { readonly description?: string; readonly requirement?: unknown })[];
};

const ALL_TERMS = {
  ...{ ...TERMS, ...DOCUMENT_TERMS },
  CallHierarchyRow: callHierarchyRowSchema,
  CallHierarchyEntry: callHierarchyEntrySchema,
};
const SHARED = new Map<unknown, string>(Object.entries(ALL_TERMS).map(([name, schema]) => [schema, name]));
const CHOSEN = Object.keys(LOOK);

export function answersReference(): string {
  const common = { ...LOOK, ...LIMIT };
  const parts = [
    'Parameters that several answers have; null means absent:',
    tableOf(fieldsOf(common)),
    ...[...ANSWERS, ...SESSION_ANSWERS].map(({ name, description, parameters, result, ...row }) => {
      const given = Object.keys(entriesOf(parameters));
      const isChosen = CHOSEN.every(each => given.includes(each));
      const shown = isChosen ? common : LIMIT;
      const own = fieldsOf(entriesOf(parameters)).filter(each => !(each.name.replace('?', '') in shown));
      const shared = [
        ...(isChosen ? ['the parameters that choose data'] : []),
        ...(given.includes('limit') ? ['`limit?`'] : []),
      ];
      return [
        `#### Answer \`${name}\``,
        'needs' in row ? `${description} For editors alone.` : description,
        own.length === 0 ? `Takes ${shared.join(' and ') || 'no parameters'}.` : tableOf(own, 'parameter'),
        ...(own.length > 0 && shared.length > 0 ? [`Also ${shared.join(' and ')}.`] : []),
        tableOf(
          fieldsOf(entriesOf(result)).filter(each => !(each.name in listSchema)),
          'field',
        ),
        ...('total' in entriesOf(result)
          ? ['Also `total` and `leftOut`: rows that there are, and rows that the limit leaves out.']
          : []),
      ].join('\n\n');
    }),
    '#### Terms of answers',
    ...Object.entries(ALL_TERMS).map(
      ([name, schema]) => `\`${name}\`:\n\n${tableOf(fieldsOf(entriesOf(schema)), 'field')}`,
    ),
  ];
  return parts.join('\n\n');
}

function entriesOf(schema: GenericSchema): Readonly<Record<string, Node>> {
  return bare(Object(schema)).entries ?? {};
}

/** Rows of lists are named by `rows[]`. */
function fieldsOf(entries: Readonly<Record<string, unknown>>, prefix = ''): Row[] {
  return Object.entries(entries).flatMap(([key, schema]) => {
    const node = schema as Node;
    const name = `${prefix}${key}`;
    const named = isOptional(node) ? `${name}?` : name;
    const inside = insideOf(node);
    if (inside !== null && sharedName(inside) === undefined)
      return [
        ...(saysOf(node) === '' ? [] : [{ name: named, type: (node.wrapped ?? node).type, says: saysOf(node) }]),
        ...fieldsOf(inside.entries ?? {}, `${name}${bare(node).type === 'array' ? '[]' : ''}.`),
      ];
    return [{ name: named, type: typeOf(node), says: saysOf(node) }];
  });
}

function isOptional({ type }: Node): boolean {
  return type === 'nullish' || type === 'exact_optional';
}

/** The object in a list, or in what may be null; null where there is none. */
function insideOf(node: Node): Node | null {
  const { entries, item, wrapped } = node;
  if (entries !== undefined) return node;
  const next = item ?? wrapped;
  return next === undefined ? null : insideOf(next);
}

function typeOf(node: Node): string {
  const shared = sharedName(node);
  if (shared !== undefined) return `\`${shared}\``;
  const { type, item, wrapped, getter, options, literal } = bare(node);
  if (getter !== undefined) return typeOf(getter());
  if (isOptional(node)) return typeOf(wrapped!);
  if (type === 'nullable') return `${typeOf(wrapped!)} or null`;
  if (type === 'array') return `list of ${typeOf(item!)}`;
  if (literal !== undefined) return `\`"${literal}"\``;
  if (type === 'union') return options!.map(each => typeOf(each as Node)).join(' or ');
  if (options !== undefined) return options.map(each => `\`"${each}"\``).join(', ');
  const [least, most] = ['min_value', 'max_value'].map(
    limit => actionsOf(node).find(each => each.type === limit)?.requirement,
  );
  const range = least === undefined ? '' : most === undefined ? `, at least ${least}` : `, ${least} to ${most}`;
  return `${actionsOf(node).some(each => each.type === 'integer') ? 'whole number' : type}${range}`;
}

function sharedName(node: Node): string | undefined {
  const [inner] = node.pipe ?? [];
  return SHARED.get(node) ?? (inner === undefined || inner === node ? undefined : sharedName(inner));
}

/** Without what is said of it. */
function bare(node: Node): Node {
  return node.pipe === undefined ? node : bare(node.pipe[0]!);
}

function actionsOf({ pipe = [] }: Node): NonNullable<Node['pipe']> {
  const [inner, ...actions] = pipe;
  return inner === undefined ? [] : [...actionsOf(inner), ...actions];
}

function saysOf(node: Node): string {
  const own = actionsOf(node).findLast(each => each.type === 'description')?.description;
  return own ?? (node.wrapped === undefined ? '' : saysOf(node.wrapped));
}

function tableOf(rows: readonly Row[], title = 'parameter'): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map(({ name, type, says }) => `| \`${name}\` | ${cell(type)} | ${cell(says)} |`);
  return [`| ${title} | type | meaning |`, '|---|---|---|', ...lines].join('\n');
}
