// Tests that words come out of Windows' shell as they went in: by what the shell and programs are known to do with a line, played here.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsShell, shellLine, unfitWord } from '../../server/proxy/shell-line.ts';
import { runs } from '../support/runs.ts';

/** The line as the shell hands it on: `^` takes the meaning from what follows; what means something would be done. */
function throughShell(line: string): string {
  let [text, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '^' && !isQuoted) {
      text += line[++at] ?? '';
      continue;
    }
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (/[%!]/.test(line[at]!) || (!isQuoted && /[&|<>()]/.test(line[at]!)))
      throw new Error(`${line[at]} is done`);
    text += line[at];
  }
  return text;
}

/** Words as the runtime library of C takes a line apart: of backslashes before a quote every second stays, and an odd one keeps it. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let [word, isQuoted] = ['', false];
  for (const [part] of `${line} `.matchAll(/\\+"|\\+|"|[^\\"]/g)) {
    const slashes = part.lastIndexOf('\\') + 1;
    if (!part.endsWith('"')) {
      if (part === ' ' && !isQuoted) words.push(word);
      word = part === ' ' && !isQuoted ? '' : word + part;
      continue;
    }
    word += '\\'.repeat(slashes >> 1);
    if (slashes % 2 === 1) word += '"';
    else isQuoted = !isQuoted;
  }
  if (isQuoted) throw new Error('a quote is not closed');
  return words;
}

const word = fc.string({ unit: fc.constantFrom(...'ab \\^&|<>()%!;,*?[]`=@ä'), maxLength: 12 });

test('each word comes out as it went in', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), words => {
      const line = throughShell(shellLine(['jdtls', ...words]));
      expect(wordsOf(line)).toEqual(['jdtls', ...words]);
    }),
    { numRuns: runs(500) },
  );
});

test('a program in a folder with blanks is written as the shell finds it', () => {
  expect(shellLine(['C:/Program Files (x86)/jdtls.bat', '-data', 'C:\\My Projects & more\\'])).toBe(
    'C:\\Program^ Files^ ^(x86^)\\jdtls.bat ^"-data^" ^"C:\\My^ Projects^ ^&^ more\\\\^"',
  );
});

test('what no quotes can hold is named, where the shell is needed', () => {
  expect(needsShell('C:\\jdk\\java.EXE', 'win32')).toBe(false);
  expect(needsShell('jdtls', 'win32')).toBe(true);
  expect(needsShell('jdtls', 'linux')).toBe(false);
  expect(unfitWord(['jdtls', 'a b', 'x" & calc'], 'win32')).toBe('x" & calc');
  expect(unfitWord(['jdtls', 'a\nb'], 'win32')).toBe('a\nb');
  expect(unfitWord(['java.exe', 'x"'], 'win32')).toBeNull();
  expect(unfitWord(['jdtls', 'x"'], 'linux')).toBeNull();
});
