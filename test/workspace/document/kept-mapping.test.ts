// The mapping of an open document is that of its profiled text, read once when it is opened, however often it is edited.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { mapDocument } from '../../../server/mapping/map-document.ts';
import { openedText, textOnDisk } from '../../../server/mapping/recorded/profiled-text.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

const TEXT = 'class Shop {\n  void run() {\n    go();\n  }\n}\n';
const { classes } = loadedFromText('Shop.run | 10@3');

test('the text on disk is read without its byte order mark; what cannot be read is not known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-profiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'Shop.java'), `\ufeff${TEXT}`);
  expect(textOnDisk(join(folder, 'Shop.java'))).toBe(TEXT);
  expect(textOnDisk(join(folder, 'Other.java'))).toBe(null);
  expect(textOnDisk(folder)).toBe(null);
  writeFileSync(join(folder, 'Large.java'), '');
  truncateSync(join(folder, 'Large.java'), 9 * 1024 * 1024);
  expect(textOnDisk(join(folder, 'Large.java'))).toBe(null);
  execFileSync('mkfifo', [join(folder, 'Pipe.java')]);
  expect(textOnDisk(join(folder, 'Pipe.java'))).toBe(null);
});

test('an equal text is mapped as it is; another one has the rows of its own outline', () => {
  const kept = new KeptMapping(openedText(TEXT));
  const outline = outlineOf(TEXT);
  expect(kept.of(TEXT, outline, classes)).toMatchObject({ map: mapDocument(outline, classes), comparison: null });
  const edited = `class New {}\n${TEXT}`;
  const { map, comparison } = kept.of(edited, outlineOf(edited), classes);
  expect(map.declarations.map(({ declaration }) => map.outline.declarations[declaration]?.name)).toEqual(['run']);
  expect([...map.declarationOfMethod.values()]).toEqual([2]);
  expect(comparison?.stateOf(0)).toBe('new');
  expect(kept.of(TEXT, outline, classes).comparison).toBe(null);
});

test('the profiled text is asked for once a document, until it is closed', () => {
  const asked: string[] = [];
  const workspace = new Workspace({}, { env: {}, home: '/h' }, path => {
    asked.push(path);
    return TEXT;
  });
  const change = (path: string | null) =>
    workspace.apply({ kind: 'documentChanged', uri: `file:${path}`, path, text: TEXT });
  change('/a/Shop.java');
  change('/a/Shop.java');
  change(null);
  expect(asked).toEqual(['/a/Shop.java']);
  workspace.apply({ kind: 'documentClosed', uri: 'file:/a/Shop.java' });
  change('/a/Shop.java');
  expect(asked).toEqual(['/a/Shop.java', '/a/Shop.java']);
});
