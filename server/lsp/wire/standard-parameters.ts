// Checks the parameters of the protocol's own messages as far as they are read: what follows from wrong ones would be a failure of ours.
import type { Position } from 'vscode-languageserver/node';

/** More characters in a text are no honest wish. */
const LONGEST_TEXT = 10_000;

/** One condition, with what is said where it does not hold. */
type Rule = readonly [key: string, expected: string, fits: (value: unknown) => boolean];

const isTextOfAnyLength = (value: unknown): boolean => typeof value === 'string';
const hasUri = (value: unknown): boolean => isObject(value) && isText(value.uri);
const isListOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits);
const isAbsentOr =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || value === null || fits(value);

const DOCUMENT: Rule = ['textDocument', 'an object with a "uri"', hasUri];
const POSITION: Rule = ['position', 'an object with whole numbers "line" and "character", from 0', isPosition];
const RANGE: Rule = ['range', 'an object with positions "start" and "end"', isRange];
/** Without `data` it is one of another server, or of a client that loses that, and has no calls. */
const ITEM: Rule = ['item', 'an object with "uri" and "selectionRange"', isItem];

function isItem(value: unknown): boolean {
  return isObject(value) && isText(value.uri) && isRange(value.selectionRange);
}

function isChange(value: unknown): boolean {
  return isObject(value) && isTextOfAnyLength(value.text) && isAbsentOr(isRange)(value.range);
}

function isOpened(value: unknown): boolean {
  return isObject(value) && isText(value.uri) && isTextOfAnyLength(value.text) && isAbsentOr(isInteger)(value.version);
}

function isFolderEvent(value: unknown): boolean {
  return isObject(value) && isListOf(hasUri)(value.added) && isListOf(hasUri)(value.removed);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

const RULES: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  [
    'initialize',
    [
      ['capabilities', 'an object', isObject],
      ['workspaceFolders', 'a list of objects with a "uri", or null', isAbsentOr(isListOf(hasUri))],
      ['rootUri', 'a text or null', isAbsentOr(isText)],
      ['processId', 'a whole number or null', isAbsentOr(isInteger)],
      ['clientInfo', 'an object with a "name"', isAbsentOr(value => isObject(value) && isText(value.name))],
    ],
  ],
  ['textDocument/inlayHint', [DOCUMENT, RANGE]],
  ['textDocument/codeLens', [DOCUMENT]],
  ['textDocument/codeAction', [DOCUMENT, RANGE, ['context', 'an object with texts in "only"', isContext]]],
  ['textDocument/hover', [DOCUMENT, POSITION]],
  ['textDocument/implementation', [DOCUMENT, POSITION]],
  ['textDocument/prepareCallHierarchy', [DOCUMENT, POSITION]],
  ['callHierarchy/incomingCalls', [ITEM]],
  ['callHierarchy/outgoingCalls', [ITEM]],
  ['workspace/executeCommand', [['command', 'a text', isText]]],
  ['textDocument/didOpen', [['textDocument', 'an object with "uri", "version" and "text"', isOpened]]],
  ['textDocument/didChange', [DOCUMENT, ['contentChanges', 'a list of texts with their ranges', isListOf(isChange)]]],
  ['textDocument/didClose', [DOCUMENT]],
  ['textDocument/didSave', [DOCUMENT]],
  ['workspace/didChangeConfiguration', []],
  ['workspace/didChangeWatchedFiles', [['changes', 'a list of objects with a "uri"', isListOf(hasUri)]]],
  ['workspace/didChangeWorkspaceFolders', [['event', 'an object with "added" and "removed"', isFolderEvent]]],
  ['window/workDoneProgress/cancel', [['token', 'a text or a number', isId]]],
  ['$/cancelRequest', [['id', 'a text or a number', isId]]],
  ['$/setTrace', [['value', 'a text', isText]]],
]);

/** The error, named by its key; null without one. Of messages outside the protocol only the form is checked: none has a list. */
export function flawOf(method: string, params: unknown): string | null {
  const rules = RULES.get(method);
  // Some clients write an object without keys as an empty list.
  const isList = Array.isArray(params) && params.length > 0;
  if (rules === undefined) return isList ? 'the parameters must be an object' : null;
  if (!isObject(params) || isList) return 'the parameters must be an object';
  const broken = rules.find(([key, , fits]) => !fits(params[key]));
  return broken === undefined ? null : `"${broken[0]}" must be ${broken[1]}`;
}

function isContext(value: unknown): boolean {
  return isObject(value) && isAbsentOr(isListOf(isText))(value.only);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isCount(value: unknown): boolean {
  return isInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPosition(value: unknown): value is Position {
  return isObject(value) && isCount(value.line) && isCount(value.character);
}

function isRange(value: unknown): value is { start: Position; end: Position } {
  return isObject(value) && isPosition(value.start) && isPosition(value.end);
}
