// Tests what addresses of files name, on Windows too, and that all spellings of one address meet.
import { win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentKey, pathOfUri } from '../../server/mapping/file-uris.ts';
import { pathKey, sourceRootOf } from '../../server/mapping/source-paths.ts';

test.each([
  ['file:///c%3A/Code/ann/A.java', 'C:\\Code\\ann\\A.java'],
  ['file:///C:/Code/ann/A.java', 'C:\\Code\\ann\\A.java'],
  ['file:///c:/Code/ann%20b/%C3%A4.java', 'C:\\Code\\ann b\\ä.java'],
  ['FILE:///c|/A.java', 'C:\\A.java'],
  ['file:/c:/A.java', 'C:\\A.java'],
  ['file:////c:/A.java', null],
  ['file://build/share/src/A.java', '\\\\build\\share\\src\\A.java'],
  ['file:////build/share/src/A.java', '\\\\build\\share\\src\\A.java'],
  ['file://wsl%24/Ubuntu/code/ann/A.java', '\\\\wsl$\\Ubuntu\\code\\ann\\A.java'],
  ['file:///code/ann/A.java', null],
  ['file:///c:/a%2Fb/A.java', null],
  ['file:///c:/%zz/A.java', null],
  ['untitled:c:/A.java', null],
])('on Windows %s is %s', (uri, path) => {
  expect(pathOfUri(uri, 'win32')).toBe(path);
});

test.each([
  ['file:///code/ann/A.java', '/code/ann/A.java'],
  ['file:/code/ann/A.java', '/code/ann/A.java'],
  ['file://localhost/code/ann/%5BA%5D.java', '/code/ann/[A].java'],
  ['file:///c%3A/A.java', '/c:/A.java'],
  ['file://build/share/A.java', null],
  ['jdt://contents/A.class', null],
])('elsewhere %s is %s', (uri, path) => {
  expect(pathOfUri(uri, 'linux')).toBe(path);
});

test('addresses of plain characters name what Node.js takes them for', () => {
  const piece = fc.stringMatching(/^[\w.$~@+,=%2eE-]{0,4}$/);
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), pieces => {
      const uri = `file:///${pieces.join('/')}`;
      let expected: string | null = null;
      try {
        expected = fileURLToPath(uri, { windows: false });
      } catch {
        // Escapes of nothing.
      }
      expect(pathOfUri(uri, 'linux')).toBe(expected);
    }),
  );
});

test('all spellings of one address have one key, others have others', () => {
  const one = ['file:///c%3A/Src/A.java', 'file:///C:/Src/A.java', 'file:///c:/src/a.java', 'file:///C:/Src/%41.java'];
  expect(new Set(one.map(uri => documentKey(uri, 'win32'))).size).toBe(1);
  expect(documentKey('file:///d:/Src/A.java', 'win32')).not.toBe(documentKey(one[0]!, 'win32'));
  expect(documentKey('file:///s/%28A%29.java', 'linux')).toBe(documentKey('file:///s/(A).java', 'linux'));
  expect(documentKey('file:///s/A.java', 'linux')).not.toBe(documentKey('file:///s/a.java', 'linux'));
  expect(documentKey('file:///s/A.java', 'darwin')).toBe(documentKey('file:///s/a.java', 'darwin'));
  expect(documentKey('untitled:Untitled-1')).toBe('untitled:Untitled-1');
});

test('what is written as an address comes back as the same path', () => {
  const names = fc.stringMatching(/^[\p{L}\p{N} $%#?&+()[\]{}~',;=@!^_-]{1,12}$/u).map(name => `x${name}x`);
  const folders = fc.array(names, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(folders, fc.constantFrom('C:', 'z:', '\\\\host\\share'), (parts, root) => {
      const path = win32.join(root.toUpperCase(), ...parts);
      const { href } = pathToFileURL(path, { windows: true });
      expect(pathKey(pathOfUri(href, 'win32')!, 'win32')).toBe(pathKey(path, 'win32'));
      // As editors write it that escape all they can.
      const escaped = href.replace(/^file:\/\/\/([A-Z]):/, (_, drive: string) => `file:///${drive.toLowerCase()}%3A`);
      expect(documentKey(escaped, 'win32')).toBe(documentKey(href, 'win32'));
    }),
  );
});

test('source roots of Windows paths', () => {
  expect(sourceRootOf('C:\\w\\src\\main\\java\\p\\q\\A.java', 'p.q')).toBe('C:\\w\\src\\main\\java');
  expect(sourceRootOf('\\\\host\\share\\src\\p\\A.java', 'p')).toBe('\\\\host\\share\\src');
  expect(sourceRootOf('C:\\w\\other\\A.java', 'p.q')).toBe('C:\\w\\other');
});
