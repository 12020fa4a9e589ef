// Tests the message about a Ceph whose programs cannot be started: no test file may hang or die of that.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCeph } from './ceph.ts';

test.each([
  ['is not there', 'rm "$0"', 'mon.a cannot be started: '],
  ['ends at once', 'printf "#!/bin/sh\\nexit 3\\n" >"$0"', 'mon.a ended with 3'],
])('a monitor that %s is named, and everything ends', async (_, whenMade, told) => {
  const home = mkdtempSync(join(tmpdir(), 'insitu-no-ceph-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const program = (name: string) => join(home, 'bin', name);
  mkdirSync(join(home, 'bin'));
  const scripts = { 'ceph-authtool': '', monmaptool: '', ceph: 'exit 1', 'ceph-mon': whenMade };
  for (const [name, lines] of Object.entries(scripts)) {
    writeFileSync(program(name), `#!/bin/sh\n${lines}\n`);
    chmodSync(program(name), 0o755);
  }
  const engine = { name: 'ceph', home, version: '', program, sources: undefined } as const;
  await expect(startCeph(engine)).rejects.toThrow(`Ceph did not start: ${told}`);
});
