// Mistakes in an insitu.json, each at the text that is wrong, for editors.
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { parseQuery } from '../../../grammar/path-syntax.ts';
import { aspectMembers, aspectNameMistake } from '../../analysis/paths/aspect-mistakes.ts';
import { formatProblem } from '../../base/problem.ts';
import { readSettings } from '../../workspace/settings/read-settings.ts';

type ConfigurationDiagnostic = { readonly start: number; readonly end: number; readonly message: string };

/**
 * Each error with its remedy. Offsets are UTF-16 units into the text.
 * @param isAllowed whether the user has allowed this file to name a location beyond this machine.
 */
export function configurationDiagnostics(
  text: string,
  isAllowed: (location: string) => boolean,
): ConfigurationDiagnostic[] {
  const { value, problems } = readSettings(text, 'insitu.json', 'workspace', isAllowed);
  return [
    ...problems.map(({ offset, length, message, remedy }) => ({
      start: offset,
      end: offset + length,
      message: formatProblem({ severity: 'error', message, ...(remedy !== undefined && { remedy }) }),
    })),
    // Text that could not be read has neither.
    ...(value.aspects === undefined && value.tasks === undefined ? [] : queryMistakes(text)),
  ];
}

/** Definitions of aspects and tasks that can be no query. The settings take them: one bad definition leaves the others as they are. */
function queryMistakes(text: string): ConfigurationDiagnostic[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  const objects = (key: string) => findNodeAtLocation(root, [key])?.children ?? [];
  const values = [
    ...objects('aspects').map(each => ({ node: textNode(each, 'value'), parse: aspectMembers })),
    ...objects('tasks')
      .filter(each => textNode(each, 'type')?.value === 'query')
      .map(each => ({ node: textNode(each, 'value'), parse: parseQuery })),
  ];
  return [
    ...objects('aspects').flatMap(each => nameMistake(textNode(each, 'name'))),
    ...values.flatMap(({ node, parse }) => (node === null ? [] : mistakeIn(text, node, parse(node.value)))),
  ];
}

type TextNode = Pick<Node, 'offset' | 'length'> & { readonly value: string };

/** Null where the field is missing or no text: the settings tell that. */
function textNode(object: Node, field: string): TextNode | null {
  const found = findNodeAtLocation(object, [field]);
  return found?.type === 'string' ? { offset: found.offset, length: found.length, value: String(found.value) } : null;
}

function nameMistake(name: TextNode | null): ConfigurationDiagnostic[] {
  const mistake = name === null ? null : aspectNameMistake(name.value);
  if (name === null || mistake === null) return [];
  const message = formatProblem({ severity: 'error', ...mistake });
  return [{ start: name.offset, end: name.offset + name.length, message }];
}

function mistakeIn(
  text: string,
  node: TextNode,
  parsed: ReturnType<typeof parseQuery> | ReturnType<typeof aspectMembers>,
): ConfigurationDiagnostic[] {
  if (!('mistake' in parsed)) return [];
  const { from, to, message, remedy } = parsed.mistake;
  const start = offsetIn(text, node, from);
  // Where something is missing at the end, the closing quotation mark has the place.
  const end = Math.max(offsetIn(text, node, to), start + 1);
  return [{ start, end, message: formatProblem({ severity: 'error', message, remedy }) }];
}

/** The place in a file of a character of one of its texts, which may be written with escapes. */
function offsetIn(text: string, { offset }: TextNode, character: number): number {
  let at = offset + 1;
  for (let unit = 0; unit < character; unit++)
    if (text[at] !== '\\') at++;
    else at += text[at + 1] === 'u' ? 6 : 2;
  return at;
}
