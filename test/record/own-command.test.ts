// A recorder for the editor is started by the launcher beside ours, whatever name the server was started by.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommand } from '../../server/record/own-command.ts';

test('the launcher of the command line, through links too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, 'dist/bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['insitu', 'insitu-lsp']) {
    writeFileSync(join(bin, `${name}.cjs`), '');
    symlinkSync(join(bin, `${name}.cjs`), join(folder, name));
    for (const started of [join(bin, `${name}.cjs`), join(folder, name)])
      expect(ownCommand(started)).toEqual([process.execPath, ...process.execArgv, join(bin, 'insitu.cjs')]);
  }
});
