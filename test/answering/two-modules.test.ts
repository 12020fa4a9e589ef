// A class that two modules declare: every face says so, and numbers are doubtful in the file that did not run, and in both where nothing tells.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const RAN = `package com.acme;

public class Work {
    public static void main(String[] args) {
        new Work().outer(args.length);
    }

    int outer(int n) {
        return inner(n, "x");
    }

    int inner(int n, String text) {
        return n + text.length();
    }
}
`;
const OTHER = `package com.acme;

public class Work {
    int extra() { return 3; }
    public static void main(String[] args) {
        new Work().outer(args.length);
    }

    int outer(int n) {
        int z = 1;
        return inner(n + z, "b");
    }

    int inner(int n, String text) {
        return n + text.length();
    }
}
`;
const A = 'a/src/main/java/com/acme/Work.java';
const B = 'b/src/main/java/com/acme/Work.java';
const PICTURE = '\ncom.acme.Work.main\n  com.acme.Work.outer :5 | 40@9\n    com.acme.Work.inner :9 | 60@13';
const FITS_A = `2 files declare com.acme.Work: ${B}, ${A}; the recorded lines fit ${A} alone`;

let scratch: ScratchRepository;
let store: string;
let client: LspClient | null = null;
beforeEach(() => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
  vi.spyOn(process, 'cwd').mockReturnValue(scratch.root);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await client?.stop();
  client = null;
  scratch.remove();
});

async function modules(a: string, b: string): Promise<void> {
  const version = scratch.commit({ [A]: a, [B]: b });
  await putPicture(store, PICTURE, { project: 'shop', version });
}

const place = () => ['--store', store, '--project', 'shop'];

async function annotated(path: string): Promise<{ hints: string[]; said: string[] }> {
  const { rows, problems } = JSON.parse((await insitu('annotate', join(scratch.root, path), '--json', ...place())).out);
  return {
    hints: rows.map(({ line, hint }: { line: number; hint: string }) => `${line} ${hint}`),
    said: problems.map(({ text }: { text: string }) => text),
  };
}

test('of two files the one that the recorded lines fit has plain numbers', async () => {
  await modules(RAN, OTHER);
  const [a, b] = [await annotated(A), await annotated(B)];
  expect(a.hints).toEqual([
    '4 100%',
    '5 100% → outer()',
    '8 100% · self 40%',
    '9 60% → inner()',
    '12 60% · self 60%',
    '13 100% here',
  ]);
  expect(b.hints.length).toBeGreaterThan(2);
  for (const hint of b.hints) expect(hint).toMatch(/^\d+ ~/);
  expect(b.said).toEqual([FITS_A]);
  expect(a.said[0]).toContain(`the recorded lines fit ${A} alone`);
  const { err } = await insitu('annotate', join(scratch.root, B), ...place());
  expect(err).toContain(FITS_A);
});

test('why and frames name both files', async () => {
  await modules(RAN, OTHER);
  for (const question of ['Work#outer', `${join(scratch.root, B)}:9`])
    expect((await insitu('why', question, ...place())).out).toMatch(
      /2 files declare com\.acme\.Work: .*fit a\/.* alone\./,
    );
});

test('where nothing tells the two apart both are doubtful', async () => {
  await modules(RAN, RAN);
  for (const path of [A, B]) {
    const { hints, said } = await annotated(path);
    for (const hint of hints) expect(hint).toMatch(/^\d+ ~/);
    expect(said[0]).toContain('the recorded lines do not tell which of them ran');
  }
});

test('an editor says so in hints and hovers once the sources are indexed, of one checkout alone', async () => {
  await modules(RAN, OTHER);
  scratch.git('worktree', 'add', '--quiet', 'hotfix', '-b', 'hotfix');
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    initializationOptions: { store, project: 'shop' },
    capabilities: { workspace: { inlayHint: { refreshSupport: true } } },
  });
  const uri = pathToFileURL(join(scratch.root, B)).href;
  client.open(uri, OTHER);
  await vi.waitFor(
    async () => {
      const lines = hintLines(await client!.hints(uri));
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(line).toMatch(/^\d+ ~/);
    },
    { timeout: 20_000, interval: 200 },
  );
  const hover = await client.hover(uri, 8, 10);
  expect(JSON.stringify(hover)).toContain('2 files declare com.acme.Work');
});
