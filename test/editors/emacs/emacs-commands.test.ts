// The commands of the Emacs package, each run in a real Emacs: lists and trees, choices, comparison, import, and a JVM that is recorded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleSources } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { ends, startShop } from '../../support/recorders/recording-shop.ts';
import { second } from '../neovim/expected-shop.ts';
import { onStage, untilAsLoaded } from '../shop-on-screen.ts';
import { methodToChange } from '../shop-screens.ts';
import { type Emacs, lispString, openEmacs, withPackage } from './emacs.ts';
import { bufferText, goTo, openOnStage } from './stage.ts';

/** Generous, as a machine may do much else. */
const PATIENT = { timeout: 90_000, interval: 200 };

/** A command, as M-x runs it, and what it tells. */
const told = ({ lisp }: Emacs, command: string): Promise<string> =>
  lisp<string>(`(progn (message nil) ${command} (or (current-message) ""))`);
const modeLine = ({ lisp }: Emacs): Promise<string> => lisp<string>('(insitu--lighter)');
/** The last message that is not empty, also of what ends by itself. */
const lastMessage = ({ lisp }: Emacs): Promise<string> =>
  lisp<string>('(with-current-buffer "*Messages*" (buffer-substring-no-properties (point-min) (point-max)))');
/** Answers the questions of an interactive command, each by the beginning of its prompt. */
function answering(answers: Readonly<Record<string, string>>, command: string): string {
  const known = Object.entries(answers).map(([prompt, answer]) => `(${lispString(prompt)} . ${lispString(answer)})`);
  return `(let ((reader (lambda (prompt &rest _)
      (cdr (or (seq-find (lambda (each) (string-prefix-p (car each) prompt)) '(${known.join(' ')}))
               (error "Asked for %s" prompt))))))
    (cl-letf (((symbol-function 'completing-read) reader) ((symbol-function 'read-string) reader)
              ((symbol-function 'read-file-name) reader))
      (call-interactively '${command})))`;
}

/** The answer `compare` about versions of several JVMs, of which one method got slower. */
const SLOWER = `(:jvms (:before 8 :now 9) :tested (:methods 40 :contexts 90) :reports [(:verdict "slower"
  :text "Shop.search, changed in de3214d" :before 0.4 :now 0.62
  :commit (:hash "de3214dbf3b0c9a88b8a4c1a9e1d0c9b7a6f5e4d" :subject "Sort twice"))])`;

onStage('emacs', 'commands in Emacs', stage => {
  test('lists and trees show what ran, and lead to it', async () => {
    const emacs = openOnStage(stage);
    const { lisp } = emacs;
    const file = stage.files()[0]!;
    await untilAsLoaded(emacs, file);
    const method = methodToChange(file);
    const name = method.method.split('.').at(-1)!.replace(/\(.*/s, '');
    await goTo(emacs, method.line, name);
    await lisp('(progn (insitu-callers) t)');
    const folded = await bufferText(emacs);
    expect(folded).toContain(name);
    expect(folded).toContain(method.share);
    const rows = async () => (await bufferText(emacs)).trimEnd().split('\n').length;
    const before = await rows();
    await lisp('(progn (goto-char (point-max)) (forward-line -1) (insitu-tree-toggle) t)');
    expect(await rows()).toBeGreaterThan(before);
    await lisp('(progn (insitu-tree-toggle) t)');
    expect(await rows()).toBe(before);
    await lisp('(progn (insitu-top nil) t)');
    expect(await bufferText(emacs)).toMatch(/^ *13% +13% +TextIndex\.postings/);
    expect(await bufferText(emacs)).not.toContain('HashMap');
    await lisp('(progn (goto-char (point-min)) t)');
    await lisp('(progn (insitu-list-visit) t)');
    expect(await lisp<string>('(file-name-extension buffer-file-name)')).toBe('java');
    await lisp('(progn (insitu-heaviest nil) t)');
    expect(await bufferText(emacs)).toMatch(/^ *\d+% +Thread\.run\(\)\n(?:.*\n)*.* Shop\./);
    await lisp('(progn (insitu-list-visit) t)');
    expect(await lisp<string>('(file-name-extension buffer-file-name)')).toBe('java');
    expect(await told(emacs, '(insitu-status)')).toContain('samples of cpu');
    expect(await modeLine(emacs)).toMatch(/insitu:\d/);
    await lisp('(progn (insitu-executions) t)');
    expect(await bufferText(emacs)).toMatch(/shop +v2 .*yes\n.*shop +v1 |shop +v1 .*\n.*shop +v2 .*yes/);
  });

  test('a click on a hint of a method opens its callers, on one of a call what it called', async () => {
    const emacs = openOnStage(stage, withPackage('(xterm-mouse-mode 1)'));
    const { lisp, terminal } = emacs;
    const file = stage.files()[0]!;
    for (const [kind, title] of [
      ['method', 'callers'],
      ['call', 'callees'],
    ]) {
      await untilAsLoaded(emacs, file);
      const { line, share } = file.hints.find(hint => hint.kind === kind)!;
      const column = terminal.screen()[line - 1]!.indexOf(share) + 1;
      terminal.press(`\u001b[<0;${column};${line}M`, `\u001b[<0;${column};${line}m`);
      await terminal.until(`the ${title}`, screen => screen.some(text => text.includes(`*insitu ${title}*`)));
      expect(await lisp<string>('(progn (goto-char (point-min)) (buffer-name))')).toBe(`*insitu ${title}*`);
      expect(await bufferText(emacs)).toContain('%');
      await lisp('(progn (quit-window t) (delete-other-windows) t)');
    }
  });

  test('why, threads and tasks tell of the method there', async () => {
    const task = '(:name "search all" :type "method" :value "com.acme.shop.Shop.search")';
    const emacs = openOnStage(stage, withPackage(`(setq insitu-settings '(:tasks [${task}]))`));
    const { lisp } = emacs;
    const file = stage.files().find(({ path }) => path.endsWith('/Shop.java'))!;
    await untilAsLoaded(emacs, stage.files()[0]!);
    await emacs.show(file.path);
    await untilAsLoaded(emacs, file);
    const { line } = file.hints.find(({ kind, method }) => kind === 'method' && method.includes('Shop.search('))!;
    await goTo(emacs, line, 'search');
    expect(await told(emacs, '(insitu-why)')).toMatch(/Shop\.search: hot\n.* samples of cpu/);
    await lisp('(progn (insitu-threads) t)');
    expect(await bufferText(emacs)).toMatch(/^ *\d+% +\d+ +\S/m);
    await lisp('(progn (quit-window t) (insitu-tasks) t)');
    expect(await bufferText(emacs)).toMatch(/\d% +search all/);
    await lisp('(progn (quit-window t) t)');
    await told(emacs, `(insitu-focus '("search all"))`);
    await emacs.until('the new 100 %', screen => / 100%( |$)/.test(screen[line - 1] ?? ''));
    await expect.poll(() => modeLine(emacs), PATIENT).toMatch(/insitu:\d+~?\d* of /);
    await told(emacs, '(insitu-clear-focus)');
    await untilAsLoaded(emacs, file);
  });

  test('aspects lists the buckets, and lets only the samples of one count', async () => {
    const aspects = ['(:name "index" :value "*TextIndex.*")', '(:name "none" :value "*NoSuchClass.*")'].join(' ');
    const emacs = openOnStage(stage, withPackage(`(setq insitu-settings '(:aspects [${aspects}]))`));
    const { lisp } = emacs;
    const file = stage.files()[0]!;
    await untilAsLoaded(emacs, file);
    const path = () =>
      lisp<string | null>(
        '(plist-get (plist-get (seq-first (plist-get (insitu-ask "status") :sources)) :chosen) :path)',
      );
    await lisp('(progn (call-interactively (keymap-lookup insitu-command-map "a")) t)');
    expect(await bufferText(emacs)).toMatch(
      /^ *\d+% +index.*\n *0 samples +none +no method that ran belongs to it\n *\d+% +no aspect/,
    );
    await expect(lisp('(progn (forward-line 1) (insitu-list-visit) t)')).rejects.toThrow('No method belongs to it');
    expect(await told(emacs, '(progn (goto-char (point-min)) (insitu-list-visit))')).toContain('path ..index');
    await expect.poll(path, PATIENT).toBe('..index');
    await lisp('(progn (quit-window t) t)');
    await told(emacs, answering({ 'Select: ': 'path', Path: '' }, 'insitu-select'));
    await expect.poll(path, PATIENT).toBeNull();
    await untilAsLoaded(emacs, file);
  });

  test('without aspects an example is told', async () => {
    const emacs = openOnStage(stage);
    await untilAsLoaded(emacs, stage.files()[0]!);
    expect(await told(emacs, '(insitu-aspects)')).toMatch(
      /^There are no aspects\. In insitu\.json: \{"aspects": \[\{"name": "\w+", "value": "/,
    );
  });

  test('another version is shown whole, and compared with as soon as it has been read', async () => {
    const emacs = openOnStage(stage);
    const { lisp } = emacs;
    const file = stage.files()[0]!;
    await untilAsLoaded(emacs, file);
    const source = (key: string) =>
      lisp<unknown>(`(plist-get (seq-first (plist-get (insitu-ask "status") :sources)) ${key})`);
    const [instance] = await lisp<string[]>('(insitu--known :instance)');
    await told(emacs, answering({ 'Select: ': 'instances', Instances: instance! }, 'insitu-select'));
    expect(await source(':part')).toContain(instance);
    await told(emacs, answering({ 'Select: ': 'version', Version: 'v1' }, 'insitu-select'));
    await expect.poll(() => source(':versions'), PATIENT).toEqual(['v1']);
    expect(await source(':part')).toBe('');
    await told(emacs, answering({ 'Select: ': 'metric', Metric: 'alloc' }, 'insitu-select'));
    await expect.poll(() => source(':metric'), PATIENT).toBe('alloc');
    for (const taken of ['metric', 'version']) await told(emacs, `(insitu-select ${lispString(taken)} "")`);
    await untilAsLoaded(emacs, file);

    await expect(lisp('(insitu-compare)')).rejects.toThrow('nothing to compare with');
    await lisp(`(progn ${answering({ 'Compare with': 'v1' }, 'insitu-compare-with')} (insitu-moved) t)`);
    expect(await bufferText(emacs)).toMatch(/^ *[+−-]\d+ +[\d.]+% +[\d.]+% +\w+.*\(/);
    // So few JVMs are no evidence.
    expect(await told(emacs, '(insitu-compare)')).toBe('Not tested: 2 JVMs before, 1 now');
    expect(
      await told(emacs, `(cl-letf (((symbol-function 'insitu-ask) (lambda (&rest _) '${SLOWER}))) (insitu-compare))`),
    ).toBe('8 JVMs before, 9 now');
    expect(await bufferText(emacs)).toMatch(
      /^ *slower +40\.0% +62\.0% +Shop\.search, changed in de3214d +Sort twice\n$/,
    );
    await lisp('(progn (quit-window t) t)');
    await told(emacs, answering({ 'Compare with': '' }, 'insitu-compare-with'));
    await lisp('(progn (quit-window t) (delete-other-windows) (insitu-refresh) t)');
    await untilAsLoaded(emacs, file);
  });

  test('the first import asks of what it is, whatever another project has, tells as what it was taken, and hints come', async () => {
    const repository = new ScratchRepository();
    onTestFinished(() => repository.remove());
    const commit = repository.commitFolder(sampleSources('v2'));
    repository.write('web/insitu.json', '{ "project": "web", "program": "web" }');
    repository.write('web/Web.java', 'class Web {}\n');
    const emacs = openEmacs(stage.engine, stage.tmux, {
      configuration: withPackage(),
      folder: repository.root,
      file: 'com/acme/shop/Shop.java',
      env: { ...repository.env, INSITU_STORE: join(repository.home, 'store') },
    });
    onTestFinished(emacs.close);
    await expect.poll(() => modeLine(emacs), PATIENT).toBe(' insitu:no data');
    await emacs.lisp(`(progn (find-file ${lispString(join(repository.root, 'web/Web.java'))}) t)`);
    const programs = () =>
      emacs.lisp('(mapcar (lambda (each) (plist-get each :program)) (plist-get (insitu-ask "status") :sources))');
    await expect.poll(programs, PATIENT).toEqual([null, 'web']);
    await emacs.lisp('(progn (quit-window) t)');
    const { press, until } = emacs.terminal;
    const prompt = (text: string) => until(text, screen => screen.some(line => line.includes(text)));
    press('M-x', 'insitu-import', 'Enter');
    await prompt('Recording: ');
    press(second.recordings[0]!, 'Enter');
    await prompt('Version that ran');
    press('Enter');
    await prompt('Program that was recorded: shop');
    press('Enter');
    await expect.poll(() => lastMessage(emacs), PATIENT).toContain(`Imported 1 as shop ${commit}`);
    await until('hints', screen => screen.some(line => /search\(.*\d%/.test(line)));
  });

  needs('jdk17', 'and a JVM', jdk => checkRecording(jdk));

  function checkRecording(jdk: Engine): void {
    test('a JVM that is chosen is recorded and shown as it runs, until that is ended', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-live-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
      const shop = startShop(jdk, folder, 400);
      onTestFinished(async () => void (await ends(shop, 'SIGKILL')));
      const emacs = openOnStage(stage, withPackage(), { INSITU_STORE: join(folder, 'store') });
      await expect.poll(() => modeLine(emacs), PATIENT).toBe(' insitu:no data');
      await expect(emacs.lisp(`(call-interactively 'insitu-stop-recording)`)).rejects.toThrow(
        'Nothing is being recorded',
      );
      await emacs.lisp(`(cl-letf (((symbol-function 'completing-read)
            (lambda (prompt offers &rest _)
              (if (equal prompt "Tier: ") "base"
                (car (seq-find (lambda (each) (string-search " · ${shop.pid} · since 2" (car each))) offers))))))
          (let ((current-prefix-arg '(4))) (call-interactively 'insitu-record)) t)`);
      await expect.poll(() => lastMessage(emacs), PATIENT).toContain(`JVM ${shop.pid} `);
      await expect.poll(() => modeLine(emacs), PATIENT).toMatch(/^ insitu:[1-9][\d~]* rec$/);
      await emacs.lisp(`(progn (call-interactively 'insitu-stop-recording) t)`);
      await expect.poll(() => lastMessage(emacs), PATIENT).toContain('Recordings ended: 1');
      await expect.poll(() => modeLine(emacs), PATIENT).toMatch(/^ insitu:[1-9][\d~]*$/);
    });
  }
});
