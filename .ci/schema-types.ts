// Writes TypeScript types from schemas, with the meaning of each field as its comment: for clients, which have no schemas.
import type { GenericSchema } from 'valibot';

/** The fields of valibot schemas that are read. */
type Node = {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly items?: readonly Node[];
  readonly wrapped?: Node;
  readonly value?: Node;
  /** Of a schema that contains itself. */
  readonly getter?: () => Node;
  readonly literal?: string;
  readonly options?: readonly (Node | string)[];
  readonly pipe?: readonly (Node & { readonly description?: string })[];
};

/** Schemas that are declared by a name, and written as this name everywhere else. */
export type NamedSchemas = ReadonlyMap<GenericSchema, string>;

/** `export type Name = …;` */
export function declaredType(name: string, schema: GenericSchema, named: NamedSchemas): string {
  const node: Node = Object(schema);
  return `${commentOf(node, '')}export type ${name} = ${new TypeWriter(named).written(node, '')};\n`;
}

class TypeWriter {
  readonly #named: ReadonlyMap<unknown, string>;

  constructor(named: NamedSchemas) {
    this.#named = named;
  }

  #typeOf(node: Node, indent: string): string {
    return this.#named.get(node) ?? this.written(node, indent);
  }

  /** The type itself, also of a schema that has a name. */
  written({ pipe, type, ...node }: Node, indent: string): string {
    const { entries = {}, item, items = [], wrapped, value, getter, literal, options = [] } = node;
    // Milliseconds are what is read of a moment, however it was written.
    if (pipe?.some(each => each.type === 'raw_transform') === true) return 'number';
    if (pipe !== undefined) return this.#typeOf(pipe[0]!, indent);
    switch (type) {
      case 'literal':
        return `'${literal}'`;
      case 'picklist':
        return options.map(each => `'${each}'`).join(' | ');
      case 'union':
        return options.map(each => (typeof each === 'string' ? each : this.#typeOf(each, indent))).join(' | ');
      case 'nullable':
        return `${this.#typeOf(wrapped!, indent)} | null`;
      case 'exact_optional':
        return this.#typeOf(wrapped!, indent);
      case 'array':
        return `ReadonlyArray<${this.#typeOf(item!, indent)}>`;
      case 'tuple':
      case 'strict_tuple':
        return `readonly [${items.map(each => this.#typeOf(each, indent)).join(', ')}]`;
      case 'record':
        return `{ readonly [name: string]: ${this.#typeOf(value!, indent)} }`;
      case 'lazy':
        return this.#typeOf(getter!(), indent);
      case 'object':
      case 'strict_object':
        return `{\n${Object.entries(entries)
          .map(([key, each]) => this.#field(key, each, `${indent}  `))
          .join('')}${indent}}`;
      case 'string':
      case 'number':
      case 'boolean':
      case 'unknown':
        return type;
      default:
        throw new Error(`a schema of the type ${type} is not written yet`);
    }
  }

  #field(key: string, node: Node, indent: string): string {
    const mark = node.type === 'exact_optional' ? '?' : '';
    const comment = this.#named.has(node) ? '' : commentOf(node, indent);
    return `${comment}${indent}readonly ${key}${mark}: ${this.#typeOf(node, indent)};\n`;
  }
}

function commentOf(node: Node, indent: string): string {
  const text = meaningOf(node);
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

function meaningOf({ pipe = [], wrapped }: Node): string {
  const own = pipe.find(({ type }) => type === 'description')?.description;
  return own ?? (wrapped === undefined ? '' : meaningOf(wrapped));
}
