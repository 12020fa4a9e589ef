// Writes one setting into the insitu.json of a project, as its user would: comments and layout stay as they are.
import { statSync } from 'node:fs';
import { applyEdits, modify, type ParseError, parseTree } from 'jsonc-parser';
import { writeWhole } from '../../base/kept-files.ts';
import { readRegular } from '../../base/regular-file.ts';
import { LARGEST_FILE_BYTES } from './configuration.ts';

const LAYOUT = { tabSize: 2, insertSpaces: true, eol: '\n' } as const;
/** Of a file that is shared with a team. */
const NEW_MODE = 0o644;

/**
 * @param file path of the insitu.json, which is made where there is none
 * @param path of the setting, `['predict', 'iterations', 'Shop.run while (more())']`
 * @throws where the file cannot be read or written, and where it is no JSON
 */
export function keepSetting(file: string, path: readonly string[], value: string): void {
  const before = statSync(file, { throwIfNoEntry: false });
  const text = before === undefined ? '{}\n' : readRegular(file, LARGEST_FILE_BYTES).toString('utf8');
  const mistakes: ParseError[] = [];
  parseTree(text, mistakes, { allowTrailingComma: true });
  if (mistakes.length > 0) throw new Error(`${file} has mistakes: mend them first`);
  const edits = modify(text, [...path], value, { formattingOptions: LAYOUT });
  writeWhole(file, [applyEdits(text, edits)], { mode: before === undefined ? NEW_MODE : before.mode & 0o777 });
}
