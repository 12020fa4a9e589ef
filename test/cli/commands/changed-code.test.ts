// Tests that commands tell of code that has changed since it was recorded as an editor tells of the same text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

const MAIN = `package acme;

class Main {
  void run() {
    prepare();
    fib(30);
    store.save(result, target, options);
  }

  int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  void idle() {
    log.write("nothing to do at all");
  }
}
`;

const PICTURE = `
acme.Main.run | 20@7
  acme.Main.fib :6 | 53@11
  acme.Store.save :7 | 27@9`;

const HINTS = ['4 100% · self 20%', '6 53% → fib()', '7 27% → Store', '10 53% · self 53%', '11 100% here'];

let scratch: ScratchRepository;
let store: string;
beforeEach(() => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
});
afterEach(() => {
  vi.restoreAllMocks();
  scratch.remove();
});

/** Commits the file with data of it, and puts another text in its place. */
async function recorded(now: string, before = MAIN, picture = PICTURE): Promise<string> {
  const commit = scratch.commit({ 'src/Main.java': before });
  await putPicture(store, picture, { version: commit });
  scratch.write('src/Main.java', now);
  return commit;
}

const command = (name: string, ...more: string[]) =>
  insitu(name, ...more, '--store', store, '--project', 'acme', '--program', 'shop');
const file = (path = 'src/Main.java') => join(scratch.root, path);

async function hints(path?: string): Promise<string[]> {
  const { out, err } = await command('annotate', file(path), '--json');
  expect(err).toBe('');
  return JSON.parse(out).rows.map(({ line, hint }: { line: number; hint: string }) => `${line} ${hint}`);
}

describe('annotate', () => {
  test('shows the hints where they were recorded while nothing has changed', async () => {
    const commit = await recorded(MAIN);
    expect(await hints()).toEqual(HINTS);
    const { out } = await command('annotate', file());
    expect(out.split('\n')[0]).toContain(`commit ${commit.slice(0, 7)}, 2023-11-14`);
  });

  test('shows the same of a file in Latin-1, and outline and frames read it so too', async () => {
    const text = MAIN.replace('class Main', '// prüft größe\nclass Main').replace('prepare()', 'prüfe("éé")');
    await recorded('', text);
    const bytes = Buffer.from(text, 'latin1');
    writeFileSync(file(), bytes);
    const commit = scratch.commit();
    await putPicture(
      store,
      PICTURE.replaceAll(/[@:]\d+/g, each => `${each[0]}${Number(each.slice(1)) + 1}`),
      {
        version: commit,
      },
    );
    const moved = HINTS.map(hint => hint.replace(/^\d+/, line => String(Number(line) + 1)));
    expect(await hints()).toEqual(moved);
    expect(
      (await insitu('annotate', file(), '--store', store, '--project', 'acme', '--program', 'shop')).out,
    ).toContain('prüfe("éé")');
    const { callSites } = JSON.parse((await insitu('outline', file())).out);
    expect(callSites.map(({ name }: { name: string }) => name)).toContain('prüfe');
  });

  test('a hint moves with its call', async () => {
    await recorded(MAIN.replace('    fib(30);', '    // the slow part\n    fib(30);'));
    expect(await hints()).toEqual([
      '4 100% · self 20%',
      '7 53% → fib()',
      '8 27% → Store',
      '11 53% · self 53%',
      '12 100% here',
    ]);
  });

  test('a hint does not stay at a line whose number it is not', async () => {
    await recorded(MAIN.replace('    fib(30);', '    trace();\n    fib(3);'));
    expect(await hints()).toEqual(['4 ~100% · changed', '8 27% → Store', '11 53% · self 53%', '12 100% here']);
    const { out } = await command('annotate', file());
    expect(out).toMatch(/^ 4 │ {3}void run\(\) \{ +~100% · changed$/m);
    expect(out).toMatch(/^ 6 │ {5}trace\(\);$/m);
  });

  test('states stand in the JSON', async () => {
    const fib = MAIN.slice(MAIN.indexOf('  int fib'), MAIN.indexOf('  void idle'));
    const moved = `${MAIN.replace(fib, '').trimEnd().slice(0, -1)}  static class Numbers {\n${fib}}\n}\n`;
    await recorded(moved.replace('fib(30)', 'fib(31)'));
    const { out } = await command('annotate', file(), '--json');
    const states = JSON.parse(out).rows.map(({ hint, state }: { hint: string; state: string }) => `${hint}: ${state}`);
    expect(states).toEqual([
      '~100% · changed: changed',
      '27% → Store: changed',
      '53% · self 53%: moved',
      '100% here: moved',
    ]);
  });

  test('files that were renamed and methods that came from other files keep their hints', async () => {
    await recorded(MAIN);
    scratch.git('mv', 'src/Main.java', 'src/Start.java');
    const fib = MAIN.slice(MAIN.indexOf('  int fib'), MAIN.indexOf('  void idle'));
    scratch.write('src/Start.java', MAIN.replace(fib, '').replace('class Main', 'class Start'));
    scratch.write('src/Fib.java', `package acme;\n\nclass Fib {\n${fib}}\n`);
    expect(await hints('src/Start.java')).toEqual(HINTS.slice(0, 3));
    expect(await hints('src/Fib.java')).toEqual(['4 53% · self 53%', '5 100% here']);
  });

  test('says why it is not known what was recorded', async () => {
    scratch.commit({ 'src/Main.java': MAIN });
    await putPicture(store, PICTURE, { version: '7.1' });
    const { out, err, status } = await command('annotate', file());
    expect(err).toMatch(/^info: .*version 7\.1 is no commit and no tag in this repository/);
    expect(out).toContain('53% → fib()');
    expect(status).toBe(0);
  });
});

describe('outside of git', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    write('src/main/java/acme/Main.java', MAIN);
    write('shop.txt', 'acme.Main.run:6;acme.Main.fib:11;acme.Main.fib:11 53\nacme.Main.run:7 47\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const inFolder = (path: string) => join(folder, path);

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  test('annotate and why find the project of the current folder, as import does', async () => {
    const imported = await insitu('import', inFolder('shop.txt'), '--store', store, '--program', 'shop');
    expect(imported.status).toBe(0);
    const annotated = await insitu('annotate', inFolder('src/main/java/acme/Main.java'), '--store', store);
    expect(annotated.err).not.toContain('error');
    expect(annotated.out).toContain('100% · self');
    const why = await insitu('why', `${inFolder('src/main/java/acme/Main.java')}:4`, '--store', store);
    expect(why.out).toContain('acme.Main.run: hot');
  });

  test('a file in another project has the data of that project', async () => {
    const other = mkdtempSync(join(tmpdir(), 'insitu-other-'));
    const settings = JSON.stringify({ project: 'acme', store });
    writeFileSync(join(other, 'insitu.json'), settings);
    writeFileSync(join(other, 'Main.java'), MAIN);
    await putPicture(store, PICTURE, { version: '1' });
    expect((await insitu('annotate', join(other, 'Main.java'))).out).toContain('53% → fib()');
    rmSync(other, { recursive: true });
  });

  test('the fingerprints of the sources stand in for the recorded text', async () => {
    const place = ['--store', store, '--program', 'shop'];
    expect(
      (await insitu('import', inFolder('shop.txt'), ...place, '--sources', inFolder('src/main/java'))).status,
    ).toBe(0);
    write(
      'src/main/java/acme/Main.java',
      MAIN.replace('  void run', '\n\n  void run').replace('return n <', 'return 1 <'),
    );
    const { out, err } = await insitu(
      'annotate',
      inFolder('src/main/java/acme/Main.java'),
      ...place.slice(0, 2),
      '--json',
    );
    const shown = JSON.parse(out).rows.map(({ line, hint }: { line: number; hint: string }) => `${line} ${hint}`);
    expect(shown).toEqual(['6 100% · self 47%', '8 53% → fib()', '9 47% here', '12 ~53% · changed']);
    expect(err).toBe('');
  });
});

describe('why', () => {
  beforeEach(() => void vi.spyOn(process, 'cwd').mockReturnValue(scratch.root));
  const why = (question: string, ...more: string[]) => command('why', question, ...more);
  const RENAMED = MAIN.replaceAll('fib(', 'fibonacci(');

  test('a method that was renamed is the recorded one', async () => {
    await recorded(RENAMED);
    for (const question of ['acme.Main#fibonacci', 'Main#fibonacci(int)', 'Main#fib', `${file()}:10`]) {
      const { out } = await why(question);
      expect(out, question).toMatch(/: hot\n53 % · 53 of 100 samples of cpu/);
      expect(out).not.toContain('certainty');
    }
    const { out } = await why('acme.Main#fibonacci');
    expect(out).toMatch(/^acme\.Main\.fibonacci: hot\n/);
    expect(out).toContain('Recorded as acme.Main.fib.\n');
    expect(out).toContain('Renamed since it was recorded (commit ');
  });

  test('so is one of a class that was renamed, in a file that was renamed', async () => {
    await recorded(MAIN);
    scratch.git('mv', 'src/Main.java', 'src/Start.java');
    scratch.write('src/Start.java', RENAMED.replace('class Main', 'class Start'));
    for (const question of ['acme.Start#fibonacci', 'Start#fibonacci', `${file('src/Start.java')}:10`]) {
      const { out } = await why(question);
      expect(out, question).toMatch(/^acme\.Start\.fibonacci: hot\n53 % · 53 of 100/);
    }
    expect((await why('Start#idle')).out).toMatch(
      /: loaded but never sampled\nIts class ran \(2 other methods were seen\)/,
    );
  });

  test('of overloads the one that is asked about', async () => {
    const two = (name: string) =>
      `class Main {\n  int ${name}(int n) {\n    return n * 31;\n  }\n  int ${name}(String[] all) {\n    return all.length + 7;\n  }\n}\n`;
    await recorded(two('now'), two('before'), 'Main.before(I) | 30@3\nMain.before([Ljava/lang/String;) | 70@6');
    expect((await why('Main#now(int)')).out).toMatch(/: hot\n30 %/);
    expect((await why('Main#now(String[])')).out).toMatch(/: hot\n70 %/);
    expect((await why('Main#now')).out).toMatch(/: hot\n100 %/);
  });

  test('a method that was not there when it was recorded has no number, for this reason', async () => {
    await recorded(
      MAIN.replace('  void idle', '  int added(int a) {\n    return table.get(a) * 7 + a;\n  }\n\n  void idle'),
    );
    for (const question of ['Main#added', `${file()}:14`]) {
      const { out } = await why(question);
      expect(out, question).toMatch(/^acme\.Main\.added: new\nIt was not there when these data were recorded/);
      expect(out).not.toContain('certainty');
    }
  });

  test('where it is not known what was recorded, a method may have had another name', async () => {
    scratch.commit({ 'src/Main.java': RENAMED });
    await putPicture(store, PICTURE, { version: '7.1' });
    for (const question of ['Main#fibonacci', `${file()}:10`]) {
      const { out } = await why(question);
      expect(out, question).toContain('It may have had another name then: acme.Main.fib ran and is not in the source.');
      expect(out).not.toContain('certainty');
    }
    expect((await why('Main#idle')).out).not.toContain('certainty');
  });

  test('a line of a method that has changed says so', async () => {
    await recorded(MAIN.replace('fib(30)', 'fib(3)'));
    const { out } = await why(`${file()}:7`);
    expect(out).toMatch(/^acme\.Main\.run: hot\n100 % /);
    expect(out).toContain('Changed since it was recorded (commit ');
    expect(JSON.parse((await why(`${file()}:7`, '--json')).out)).toMatchObject({ verdict: 'hot', state: 'changed' });
  });
});
