// Reads settings from JSON text (comments allowed) and says precisely what is wrong with it.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type PartialSettings, SETTINGS, type SettingKey, type SettingRule } from '../base/config.ts';
import type { Outcome, Problem } from '../base/problem.ts';

/** Where settings come from decides what they may say: a cloned repository is not trusted with other machines. */
export type SettingsOrigin = 'workspace' | 'user';

/** A problem with the piece of text that it is about, for editors. */
export type SettingsProblem = Problem & { readonly offset: number; readonly length: number };

/**
 * Reads `text` as settings. Unknown keys, wrong types and values out of range are problems; the rest is taken.
 * @param file name used in problems.
 */
export function readSettings(
  text: string,
  file: string,
  origin: SettingsOrigin,
): Outcome<PartialSettings> & { readonly problems: readonly SettingsProblem[] } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const reader = new SettingsReader(text, file, origin);
  for (const error of errors)
    reader.complain(error.offset, error.length, `not valid JSON: ${printParseErrorCode(error.error)}`);
  if (root !== undefined && root.type !== 'object')
    reader.complain(root.offset, root.length, 'settings must be an object');
  if (root?.type === 'object') reader.readObject(root, '');
  return { value: reader.settings(), problems: reader.problems };
}

class SettingsReader {
  readonly #taken = new Map<SettingKey, unknown>();
  readonly problems: SettingsProblem[] = [];
  readonly #text: string;
  readonly #file: string;
  readonly #origin: SettingsOrigin;

  constructor(text: string, file: string, origin: SettingsOrigin) {
    this.#text = text;
    this.#file = file;
    this.#origin = origin;
  }

  /** What was taken; every value has been checked against its rule. */
  settings(): PartialSettings {
    return Object.fromEntries(this.#taken);
  }

  complain(offset: number, length: number, message: string, remedy?: string): void {
    const line = this.#text.slice(0, offset).split('\n').length;
    const problem = { severity: 'warning', message, file: this.#file, place: `line ${line}`, offset, length } as const;
    this.problems.push(remedy === undefined ? problem : { ...problem, remedy });
  }

  readObject(object: Node, prefix: string): void {
    for (const property of object.children ?? []) {
      const [keyNode, valueNode] = property.children ?? [];
      if (keyNode === undefined || valueNode === undefined) continue;
      const key = prefix === '' ? String(keyNode.value) : `${prefix}.${keyNode.value}`;
      if (Object.hasOwn(SETTINGS, key)) this.#readValue(key as SettingKey, valueNode);
      else if (key === '$schema') continue;
      else if (valueNode.type === 'object' && isGroup(key)) this.readObject(valueNode, key);
      else this.complain(keyNode.offset, keyNode.length, `unknown setting "${key}"`, nearestKey(key));
    }
  }

  #readValue(key: SettingKey, node: Node): void {
    const rule: SettingRule = SETTINGS[key];
    const value = plainValue(node);
    const wrong = wrongness(rule, value);
    if (wrong !== null) {
      this.complain(node.offset, node.length, `"${key}" must be ${wrong}`);
      return;
    }
    if (this.#origin === 'workspace' && key === 'store' && typeof value === 'string' && leavesMachine(value)) {
      const message = `"${key}" of a workspace file may only be a folder of this machine`;
      const remedy = "name it in the editor's own settings or in INSITU_STORE instead";
      this.complain(node.offset, node.length, message, remedy);
      return;
    }
    this.#taken.set(key, value);
  }
}

function isGroup(key: string): boolean {
  return Object.keys(SETTINGS).some(known => known.startsWith(`${key}.`));
}

function plainValue(node: Node): unknown {
  if (node.type !== 'object') return node.type === 'array' ? [] : node.value;
  const entries = (node.children ?? []).map(property => property.children ?? []);
  return Object.fromEntries(entries.map(([key, value]) => [String(key?.value), value?.value]));
}

/** What the value should have been, or null when it is fine. A null or missing value means "the default" for strings. */
function wrongness(rule: SettingRule, value: unknown): string | null {
  switch (rule.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'string':
      return value === null || typeof value === 'string' ? null : 'a string';
    case 'share':
      return typeof value === 'number' && value >= 0 && value <= 1 ? null : 'a number from 0 to 1';
    case 'integer': {
      const fits = Number.isInteger(value) && Number(value) >= rule.minimum && Number(value) <= rule.maximum;
      return fits ? null : `a whole number from ${rule.minimum} to ${rule.maximum}`;
    }
    case 'strings': {
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isMap && Object.values(value).every(entry => typeof entry === 'string') ? null : 'an object of strings';
    }
  }
}

/** URLs and network shares; plain drive letters are local. */
function leavesMachine(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(location) || /^[\\/]{2}/.test(location);
}

function nearestKey(key: string): string {
  const last = key.split('.').at(-1)?.toLowerCase() ?? '';
  const near = Object.keys(SETTINGS).find(
    known => known.toLowerCase().endsWith(last) || last.startsWith(known.toLowerCase()),
  );
  return near === undefined ? `known settings: ${Object.keys(SETTINGS).join(', ')}` : `did you mean "${near}"?`;
}
