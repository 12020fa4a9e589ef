// Every feature of the server through LSP4J with LSP4IJ's own capabilities: what IntelliJ gets is whole, clickable and right.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../../server/lsp/operations/operation-table.ts';
import { type ExpectedHints, expectedHints } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { second } from '../neovim/expected-shop.ts';
import { type Command, isPlain, linesOf, type Position, ShopSession, textOf } from './shop-session.ts';

/** IntelliJ cuts what is longer off, part by part. */
const LONGEST_PART = 30;

const template = new URL('../../../clients/intellij/insitu/settings.json', import.meta.url);
const SETTINGS: { readonly insitu: object } = JSON.parse(readFileSync(template, 'utf8'));

needs('lsp4j', 'the server in IntelliJ by LSP4IJ', lsp4j =>
  needs('jdk17', 'on JDK 17', java => needs('jdk25', 'by the oracle', () => checkSession({ lsp4j, java }))),
);

function checkSession(engines: { readonly lsp4j: Engine; readonly java: Engine }): void {
  let session: ShopSession;
  let now: ExpectedHints;
  beforeAll(async () => {
    [now] = expectedHints({ ...second, longest: LONGEST_PART }) as [ExpectedHints];
    session = await ShopSession.start(engines, SETTINGS);
  });
  afterAll(async () => {
    if (session !== undefined) expect(await session.close()).toBe('');
  });

  const run = ({ command, arguments: given = [] }: Command): Promise<unknown> =>
    session.lsp.ask('workspace/executeCommand', { command, arguments: given });
  const at = (file: string, position: Position) => ({ textDocument: { uri: session.uri(file) }, position });
  const shown = () => session.lsp.received.filter(({ method }) => method === 'window/showDocument');
  const count = (method: string) => session.lsp.received.filter(each => each.method === method).length;
  const settled = (wanted: readonly string[]) =>
    expect.poll(() => session.hintLines(), { timeout: 20_000, interval: 50 }).toEqual(wanted);

  /** Runs a command that shows a page, and looks at the page. */
  async function page(command: Command): Promise<string> {
    const before = shown().length;
    await run(command);
    expect(shown().length, command.title).toBe(before + 1);
    const { uri, external } = shown().at(-1)!.params as { uri: string; external: boolean };
    const path = fileURLToPath(uri);
    expect([external, statSync(path).mode & 0o222]).toEqual([false, 0]);
    return readFileSync(path, 'utf8');
  }

  test('is started with all its features in the form that LSP4J holds', () => {
    const { capabilities, serverInfo } = session.lsp.initialized as { capabilities: object; serverInfo: object };
    expect(serverInfo).toMatchObject({ name: 'insitu' });
    expect(capabilities).toMatchObject({
      positionEncoding: 'utf-16',
      textDocumentSync: { openClose: true, change: 2 },
      inlayHintProvider: expect.anything(),
      hoverProvider: true,
      codeLensProvider: expect.anything(),
      codeActionProvider: expect.anything(),
      implementationProvider: true,
      callHierarchyProvider: true,
      executeCommandProvider: { commands: [...COMMANDS] },
    });
  });

  test('shows the first hint, and after load in every file those expected and no others', async () => {
    const [busy] = now.hints;
    session.open(busy!.file);
    await expect.poll(() => session.hints(busy!.file), { timeout: 20_000, interval: 5 }).not.toEqual([]);
    const millis = performance.now() - session.lsp.startedMillis;
    console.log(`IntelliJ's client: first hint ${millis.toFixed(0)} ms after the server was started`);
    for (const file of session.files) if (file !== busy!.file) session.open(file);
    expect(now.hints.length).toBeGreaterThan(100);
    await settled(linesOf(now.hints));
    await expect.poll(() => count('workspace/inlayHint/refresh'), { timeout: 5_000 }).toBeGreaterThan(0);
  });

  test('lines typed above move every hint and change none', async () => {
    for (const file of session.files) session.insert(file, 0, ['// one', '', '/* two */']);
    await settled(linesOf(now.hints.map(hint => ({ ...hint, line: hint.line + 3 }))));
    for (const file of session.files) session.restore(file);
    await settled(linesOf(now.hints));
  });

  test('a line typed inside marks its method as changed, in the hint and by a diagnostic, and no other', async () => {
    const plain = Map.groupBy(
      now.hints.filter(hint => isPlain(hint, session)),
      ({ file }) => file,
    );
    const edited = new Map([...plain].map(([file, methods]) => [file, methods[0]!]));
    expect(edited.size).toBeGreaterThan(20);
    for (const { file, line } of edited.values()) session.insert(file, line, ['        int insituProbe = 0;']);
    const wanted = now.hints.map(hint => {
      const changed = edited.get(hint.file);
      if (changed === undefined || hint.line < changed.line) return hint;
      return hint === changed ? { ...hint, text: `~${hint.share} · changed` } : { ...hint, line: hint.line + 1 };
    });
    await settled(linesOf(wanted));
    const marked = () =>
      [...edited.values()].filter(({ file, line }) =>
        diagnosticsOf(file).some(
          ({ code, range }) => code === 'changed-since-recorded' && range.start.line === line - 1,
        ),
      ).length;
    await expect.poll(marked, { timeout: 10_000 }).toBe(edited.size);
    for (const file of edited.keys()) session.restore(file);
    await settled(linesOf(now.hints));
  });

  type Diagnostic = { code: string; severity: number; source: string; range: { start: Position } };

  function diagnosticsOf(file: string): readonly Diagnostic[] {
    const sent = session.lsp.received.findLast(
      ({ method, params }) =>
        method === 'textDocument/publishDiagnostics' && (params as { uri: string }).uri === session.uri(file),
    );
    const { diagnostics } = (sent?.params ?? { diagnostics: [] }) as { diagnostics: readonly Diagnostic[] };
    for (const { source, severity } of diagnostics) expect([source, severity > 2]).toEqual(['insitu', true]);
    return diagnostics;
  }

  test('hints are short parts with plain tooltips that hold all there is, and a click opens callers or callees', async () => {
    const unclickable: string[] = [];
    const kinds = new Set<string>();
    for (const file of session.files)
      for (const hint of await session.hints(file)) {
        if (typeof hint.label === 'string') throw new Error('no parts');
        for (const { value } of hint.label) expect(value.length, value).toBeLessThanOrEqual(LONGEST_PART);
        const [{ tooltip, command }] = hint.label as readonly [Exclude<typeof hint.label, string>[number]];
        expect(tooltip).toEqual(expect.any(String));
        // LSP4IJ drops the hint's own.
        expect(hint).not.toHaveProperty('tooltip');
        if (command === undefined) {
          unclickable.push(`${hint.data.kind} ${session.lines(file)[hint.position.line]}`);
          continue;
        }
        kinds.add(`${hint.data.kind} ${command.command}`);
        const text = await page(command);
        expect(text).toMatch(/^# \S/);
        expect(text, `${file} ${textOf(hint)}`).toMatch(/^\| .* \|$|^It was seen with no caller\.$/m);
      }
    expect([...kinds].sort()).toEqual(['call insitu.callees', 'lambda insitu.callers', 'method insitu.callers']);
    // A line without a call, and the initialiser of a field, have no method that could be asked about.
    const field = /^call +private final \w+ \w+ = /;
    expect(unclickable.filter(row => !row.startsWith('line ') && !field.test(row))).toEqual([]);
  });

  type Lens = { readonly range: { readonly start: Position }; readonly command?: Command };
  const lenses = (file: string) =>
    session.lsp.ask<readonly Lens[]>('textDocument/codeLens', { textDocument: { uri: session.uri(file) } });

  test('lenses are whole without being resolved, and each opens a page', async () => {
    const asked = new Map<string, number>();
    for (const file of session.files)
      for (const { range, command } of await lenses(file)) {
        expect(command?.title).toMatch(/\S/);
        expect(COMMANDS).toContain(command?.command);
        asked.set(command!.command, (asked.get(command!.command) ?? 0) + 1);
        const hinted = now.hints.some(hint => hint.file === file && hint.line === range.start.line + 1);
        expect(hinted, `${file}:${range.start.line + 1} ${command?.title}`).toBe(true);
        expect(await page(command!)).toMatch(/^# \S/);
      }
    expect([...asked.keys()].sort()).toEqual(['insitu.callees', 'insitu.callers', 'insitu.threads', 'insitu.why']);
    expect(asked.get('insitu.threads')).toBe(asked.get('insitu.why'));
  });

  /** Where the names of hinted methods stand, as the lenses tell. */
  async function names(): Promise<{ file: string; position: Position; hint: string }[]> {
    const found: { file: string; position: Position; hint: string }[] = [];
    for (const { file, line, kind, text } of now.hints) {
      if (kind !== 'method') continue;
      const lens = (await lenses(file)).find(({ range }) => range.start.line === line - 1);
      if (lens !== undefined) found.push({ file, position: lens.range.start, hint: text });
    }
    return found;
  }

  test('hovers on methods say what the tooltips of their hints say', async () => {
    const all = await names();
    expect(all.length).toBeGreaterThan(40);
    for (const { file, position } of all) {
      const hint = (await session.hints(file)).find(each => each.position.line === position.line)!;
      const [{ tooltip }] = hint.label as readonly [Exclude<typeof hint.label, string>[number]];
      const hover = await session.lsp.ask<{ contents: { kind: string; value: string } }>(
        'textDocument/hover',
        at(file, position),
      );
      expect(hover.contents).toMatchObject({ kind: 'markdown', value: expect.stringMatching(/^\*\*insitu\*\*/) });
      const [counts] = /[\d,]+ of [\d,]+ samples/.exec(String(tooltip)) ?? ['?'];
      expect(hover.contents.value.replace(/\\/g, '')).toContain(counts.replace(' samples', ''));
    }
  });

  // The command asks in which JVM, and opens no page.
  const COUNTING = 'insitu.countCalls';
  test('code actions stand in the menu; a focus and its end bring refreshes and other numbers', async () => {
    const [main] = await names();
    const { file, position } = main!;
    const actions = () =>
      session.lsp.ask<readonly { title: string; kind: string; command: Command }[]>('textDocument/codeAction', {
        textDocument: { uri: session.uri(file) },
        range: { start: position, end: position },
        context: { diagnostics: [], triggerKind: 2 },
      });
    const [focus, ...others] = await actions();
    expect(focus?.command.command).toBe('insitu.focus');
    const [pages, asking] = [others.filter(({ command }) => command.command !== COUNTING), others.length - 1];
    expect(pages).toHaveLength(asking);
    for (const { command } of pages) expect(await page(command)).toMatch(/^# \S/);
    const refreshes = count('workspace/inlayHint/refresh');
    await run(focus!.command);
    await expect.poll(() => count('workspace/inlayHint/refresh'), { timeout: 10_000 }).toBeGreaterThan(refreshes);
    await expect.poll(async () => (await session.hints(file)).map(textOf).join()).toContain('100%');
    const clear = (await actions()).find(({ command }) => command.command === 'insitu.clearFocus');
    await run(clear!.command);
    await settled(linesOf(now.hints));
  });

  test('call hierarchies go both ways, with shares', async () => {
    type Item = { readonly name: string; readonly detail?: string; readonly uri: string };
    let [up, down] = [0, 0];
    for (const { file, position } of (await names()).slice(0, 12)) {
      const [item] = await session.lsp.ask<readonly Item[]>('textDocument/prepareCallHierarchy', at(file, position));
      expect(item).toMatchObject({ uri: session.uri(file) });
      type Call = { readonly from?: Item; readonly to?: Item; readonly fromRanges: readonly unknown[] };
      const incoming = await session.lsp.ask<readonly Call[]>('callHierarchy/incomingCalls', { item });
      const outgoing = await session.lsp.ask<readonly Call[]>('callHierarchy/outgoingCalls', { item });
      for (const { fromRanges } of [...incoming, ...outgoing]) expect(fromRanges).not.toEqual([]);
      up += incoming.filter(({ from }) => from?.detail?.includes('%')).length;
      down += outgoing.filter(({ to }) => to?.detail?.includes('%')).length;
    }
    expect([up, down].every(calls => calls > 10)).toBe(true);
  });

  test('implementations of interface methods are places in the sources', async () => {
    const found: string[] = [];
    for (const file of session.files)
      for (const [line, text] of session.lines(file).entries()) {
        const [before] = /^ {4}[\w<>[\], ?]+ (?=\w+\([^)]*\);$)/.exec(text) ?? [];
        if (before === undefined) continue;
        const places = await session.lsp.ask<readonly { uri?: string; targetUri?: string }[] | null>(
          'textDocument/implementation',
          at(file, { line, character: before.length }),
        );
        found.push(...(places ?? []).map(place => String(place.uri ?? place.targetUri)));
      }
    expect(found.length).toBeGreaterThan(3);
    for (const uri of found) expect(session.files.map(file => session.uri(file))).toContain(uri);
  });

  test('settings of the page hold at once, and go back at once', async () => {
    session.lsp.apply({ insitu: { hints: { methods: { enabled: false }, format: 'ascii' } } });
    const kinds = async () => new Set((await session.hintLines()).map(line => line.split(' ')[1]));
    await expect.poll(kinds, { timeout: 10_000 }).not.toContain('method');
    expect(await lenses(session.files[0]!)).toEqual([]);
    session.lsp.apply(SETTINGS);
    await settled(linesOf(now.hints));
  });

  test('a question is answered by a button, or closed', async () => {
    session.lsp.choose(null);
    await run({ title: '', command: 'insitu.selectExecution' });
    await settled(linesOf(now.hints));
    const { params } = session.lsp.received.findLast(({ method }) => method === 'window/showMessageRequest')!;
    const { title } = (params as { actions: { title: string }[] }).actions.find(action => action.title.includes('v1'))!;
    session.lsp.choose(title);
    const { file } = now.hints.find(hint => isPlain(hint, session))!;
    const before = (await session.hints(file)).map(textOf);
    await run({ title: '', command: 'insitu.selectExecution' });
    await expect.poll(async () => (await session.hints(file)).map(textOf), { timeout: 10_000 }).not.toEqual(before);
    session.lsp.choose('What the settings say');
    await run({ title: '', command: 'insitu.selectExecution' });
    await settled(linesOf(now.hints));
  });

  test('a comparison shows changes in hints, and a lens that opens what moved', async () => {
    await run({ title: '', command: 'insitu.compareWith', arguments: [{ version: 'v1' }] });
    const { file } = now.hints.find(hint => isPlain(hint, session))!;
    const compared = async () => (await lenses(file)).find(({ command }) => command?.command === 'insitu.moved');
    await expect.poll(compared, { timeout: 10_000 }).toBeDefined();
    expect((await session.hints(file)).map(textOf).join()).toMatch(/[↗↘→↑↓] /);
    expect(await page((await compared())!.command!)).toMatch(/^\| .* \|$/m);
  });
}
