// Reads settings from JSON text (comments allowed) and says precisely what is wrong with it.
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type FieldRule,
  type PartialSettings,
  SETTINGS,
  type SettingKey,
  type SettingRule,
} from '../../base/config.ts';
import type { Problem } from '../../base/problem.ts';
import { nearestNames } from '../../metrics/nearest-names.ts';

/** Where settings come from decides what they may say: a cloned repository is not trusted with other machines. */
type SettingsOrigin = 'workspace' | 'user';

/** jsonc-parser's codes in words. */
const SYNTAX: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is text behind the end',
  InvalidCommentToken: 'a comment does not end',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidNumberFormat: 'a number is malformed',
};

/** More problems than these in one file are counted, not told: they come from a file that is something else altogether. */
const MOST_PROBLEMS = 20;
/** Settings nest five levels deep. A parser that calls itself for each level ends at some thousands. */
const MOST_LEVELS = 50;

/** A problem with the piece of text that it is about, for editors. */
type SettingsProblem = Problem & { readonly offset: number; readonly length: number };

export type SettingsReading = {
  readonly value: PartialSettings;
  readonly problems: readonly SettingsProblem[];
  /** The store beyond this machine that a workspace file names and may not, until its user allows it; null where there is none. */
  readonly refusedStore: string | null;
};

/**
 * Reads `text` as settings. Unknown keys, wrong types and values out of range are problems; the rest is taken.
 * @param file name used in problems.
 * @param isAllowed whether the user has allowed this file to name a location beyond this machine.
 */
export function readSettings(
  text: string,
  file: string,
  origin: SettingsOrigin,
  isAllowed: (location: string) => boolean = () => false,
): SettingsReading {
  const reader = new SettingsReader(text, file, origin, isAllowed);
  const tooDeep = deepBracket(text);
  if (tooDeep !== null) {
    reader.complain(tooDeep, 1, `brackets are nested more than ${MOST_LEVELS} levels deep`, 'defaults are used');
    return { value: {}, problems: reader.problems, refusedStore: null };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const error of errors)
    reader.complain(
      error.offset,
      error.length,
      `not valid JSON: ${SYNTAX[printParseErrorCode(error.error)] ?? 'unexpected text'}`,
    );
  if (root !== undefined && root.type !== 'object')
    reader.complain(root.offset, root.length, 'settings must be an object');
  if (root?.type === 'object') reader.readObject(root, '');
  reader.sayHowManyMore();
  return { value: reader.settings(), problems: reader.problems, refusedStore: reader.refusedStore };
}

/** Offset of the first bracket that opens a level too many, null where none does. */
function deepBracket(text: string): number | null {
  const scanner = createScanner(text, true);
  let level = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return null;
    // Texts begin with a quote, comments with a slash.
    const first = text.charAt(offset);
    if (first === '{' || first === '[') level++;
    else if (first === '}' || first === ']') level--;
    if (level > MOST_LEVELS) return offset;
  }
}

class SettingsReader {
  readonly #taken = new Map<SettingKey, unknown>();
  readonly problems: SettingsProblem[] = [];
  #complaints = 0;
  readonly #text: string;
  readonly #file: string;
  readonly #origin: SettingsOrigin;
  readonly #isAllowed: (location: string) => boolean;
  refusedStore: string | null = null;

  constructor(text: string, file: string, origin: SettingsOrigin, isAllowed: (location: string) => boolean) {
    this.#isAllowed = isAllowed;
    this.#text = text;
    this.#file = file;
    this.#origin = origin;
  }

  /** The settings that were taken; every value has been checked against its rule. */
  settings(): PartialSettings {
    return Object.fromEntries(this.#taken);
  }

  /** @param remedy a function where it takes time to find. */
  complain(offset: number, length: number, message: string, remedy?: string | (() => string)): void {
    this.#complaints++;
    if (this.#complaints > MOST_PROBLEMS) return;
    // An error at the end of a file belongs to its last line of text.
    const line = this.#text.slice(0, Math.min(offset, this.#text.trimEnd().length)).split('\n').length;
    // Settings of an editor have no visible lines; every message names its key.
    const place = this.#origin === 'workspace' ? { place: `line ${line}` } : {};
    const problem = { severity: 'warning', message, file: this.#file, ...place, offset, length } as const;
    const way = typeof remedy === 'function' ? remedy() : remedy;
    this.problems.push(way === undefined ? problem : { ...problem, remedy: way });
  }

  /** To be called last. */
  sayHowManyMore(): void {
    if (this.#complaints <= MOST_PROBLEMS) return;
    // This sentence takes the place of the last problem.
    this.problems.length = MOST_PROBLEMS - 1;
    const more = this.#complaints - this.problems.length;
    const message = `${more} more problems of this kind`;
    this.problems.push({ severity: 'warning', message, file: this.#file, offset: 0, length: 0 });
  }

  readObject(object: Node, prefix: string): void {
    for (const property of object.children ?? []) {
      const [keyNode, valueNode] = property.children ?? [];
      if (keyNode === undefined || valueNode === undefined) continue;
      const key = prefix === '' ? String(keyNode.value) : `${prefix}.${keyNode.value}`;
      if (Object.hasOwn(SETTINGS, key)) this.#readValue(key as SettingKey, valueNode);
      else if (key === '$schema') continue;
      else if (valueNode.type === 'object' && isGroup(key)) this.readObject(valueNode, key);
      else this.complain(keyNode.offset, keyNode.length, `unknown setting "${key}"`, () => nearestKey(key));
    }
  }

  #readValue(key: SettingKey, node: Node): void {
    const rule: SettingRule = SETTINGS[key];
    if (rule.type === 'objects' && node.type === 'array') {
      const objects = (node.children ?? []).filter(each => this.#isObject(key, rule.fields, each));
      this.#taken.set(key, objects.map(plainValue));
      return;
    }
    const value = plainValue(node);
    const wrong = wrongness(rule, value);
    if (wrong !== null) {
      this.complain(node.offset, node.length, `"${key}" must be ${wrong}`);
      return;
    }
    if (this.#origin === 'workspace' && key === 'store' && typeof value === 'string' && leavesMachine(value)) {
      if (hasCredentials(value)) {
        const message = `"${key}" of a workspace file must not carry credentials`;
        this.complain(node.offset, node.length, message, "they belong into the user's own settings or the environment");
        return;
      }
      if (!this.#isAllowed(value)) {
        this.refusedStore = value;
        const message = `"${key}" of a workspace file may only be a folder of this machine until you allow another`;
        const remedy =
          "an editor with insitu asks for it; or name it in the editor's own settings, with --store or in INSITU_STORE";
        this.complain(node.offset, node.length, message, remedy);
        return;
      }
    }
    this.#taken.set(key, value);
  }

  /** Whether an object of a list has what it must have; says what is wrong with it. */
  #isObject(key: SettingKey, fields: Readonly<Record<string, FieldRule>>, node: Node): boolean {
    if (node.type !== 'object') {
      this.complain(node.offset, node.length, `"${key}" must be a list of objects`);
      return false;
    }
    let good = true;
    const wrong = (at: Node, message: string) => {
      this.complain(at.offset, at.length, message);
      good = false;
    };
    const given = new Map((node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), children]));
    for (const [field, [name, value]] of given) {
      const rule = Object.hasOwn(fields, field) ? fields[field] : undefined;
      const at = value ?? name ?? node;
      const expected = rule === undefined ? null : wrongText(rule, value);
      if (rule === undefined) wrong(name ?? node, `unknown field "${field}" in "${key}"`);
      else if (expected !== null) wrong(at, `"${field}" in "${key}" must be ${expected}`);
    }
    for (const [field, { required }] of Object.entries(fields))
      if (required && !given.has(field)) wrong(node, `"${field}" is missing in "${key}"`);
    return good;
  }
}

/** The form that the text should have, or null when it is fine. */
function wrongText({ oneOf }: FieldRule, node: Node | undefined): string | null {
  if (oneOf !== undefined) return oneOf.includes(String(node?.value)) ? null : `one of ${oneOf.join(', ')}`;
  return node?.type === 'string' && node.value !== '' ? null : 'a text';
}

function isGroup(key: string): boolean {
  return Object.keys(SETTINGS).some(known => known.startsWith(`${key}.`));
}

function plainValue(node: Node): unknown {
  const value: unknown = getNodeValue(node);
  return value;
}

/** The form that the value should have, or null when it is fine. A null or missing value means "the default" for strings. */
function wrongness(rule: SettingRule, value: unknown): string | null {
  switch (rule.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'string':
      if (value !== null && typeof value !== 'string') return 'a string';
      return value === null || rule.like === undefined || new RegExp(rule.like.pattern).test(value)
        ? null
        : rule.like.says;
    case 'choice':
      return typeof value === 'string' && rule.oneOf.includes(value) ? null : `one of ${rule.oneOf.join(', ')}`;
    case 'share':
      return typeof value === 'number' && value >= 0 && value <= 1 ? null : 'a number from 0 to 1';
    case 'integer': {
      const fits = Number.isInteger(value) && Number(value) >= rule.minimum && Number(value) <= rule.maximum;
      return fits ? null : `a whole number from ${rule.minimum} to ${rule.maximum}`;
    }
    case 'strings': {
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (!isMap || !Object.values(value).every(entry => typeof entry === 'string')) return 'an object of strings';
      const { like } = rule;
      return like === undefined || Object.values(value).every(entry => new RegExp(like.pattern).test(entry))
        ? null
        : like.says;
    }
    case 'objects':
      return 'a list of objects';
  }
}

/** URLs and network shares; plain drive letters are local. */
function leavesMachine(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(location) || /^[\\/]{2}/.test(location);
}

/** `https://user:secret@host/…`, or a key in a query. */
function hasCredentials(location: string): boolean {
  if (/^[a-z][a-z0-9+.-]+:\/\/[^/?#]*@/i.test(location)) return true;
  const [, ...fields] = location.split(/[?&]/);
  return fields.some(field => {
    const end = field.indexOf('=');
    return end >= 0 && /key|token|secret|password|signature|credential/i.test(field.slice(0, end));
  });
}

function nearestKey(key: string): string {
  const known = Object.keys(SETTINGS);
  const last = key.split('.').at(-1)?.toLowerCase() ?? '';
  const near =
    known.find(each => each.toLowerCase().endsWith(last) || last.startsWith(each.toLowerCase())) ??
    nearestNames(known, key, 1)[0];
  return near === undefined ? `known settings: ${known.join(', ')}` : `did you mean "${near}"?`;
}
