// Tests that an editor with one server gets everything of a real Eclipse JDT LS and everything of ours from `insitu lsp --wrap`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeLens,
  CompletionList,
  Hover,
  InlayHint,
  Location,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { needs } from '../../support/engines/needs.ts';
import { hintText } from '../../support/insitu/lsp-client.ts';
import { type JavaSession, startJdtls } from './jdtls.ts';

const SHOP = 'com/acme/shop/Shop.java';
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 300, character: 0 } };

/** Eclipse takes its time with what it is asked first, and what it has not said by then is asked for again. */
const SLOW = { timeout: 100_000, interval: 300 };

needs('jdtls', 'around Eclipse JDT LS', jdtls =>
  needs('jdk25', 'on JDK 25', java => {
    let session: JavaSession;
    beforeAll(async () => {
      session = await startJdtls({ jdtls, java });
      session.client.open(session.uri(SHOP), session.text(SHOP));
    });
    afterAll(async () => expect(await session.close()).toBe(0));

    const search = () => ({
      textDocument: { uri: session.uri(SHOP) },
      position: session.position(SHOP, ' search(', 1),
    });
    const detailOf = (items: readonly CallHierarchyItem[] | null) => items?.map(({ detail }) => detail).join() ?? '';

    test('what is the Java server’s alone comes through', async () => {
      const [place] = await session.ask<Location[]>('textDocument/definition', search());
      expect(place).toMatchObject({ uri: session.uri(SHOP), range: { start: search().position } } satisfies object);
      const edit = await session.ask<WorkspaceEdit>('textDocument/rename', { ...search(), newName: 'found' });
      expect(
        Object.keys(edit.changes ?? {})
          .map(uri => uri.split('/').at(-1))
          .sort(),
      ).toEqual(['Behaviour.java', 'Command.java', 'Shop.java']);
      const at = { ...search(), position: session.position(SHOP, 'return ', 7) };
      const { items } = await session.ask<CompletionList>('textDocument/completion', at);
      expect(items.length).toBeGreaterThan(5);
      const [first] = items;
      expect(await session.ask('completionItem/resolve', first!)).toMatchObject({ label: first!.label });
    });

    test('diagnostics of Eclipse come, of what is typed too', async () => {
      const { line } = session.position(SHOP, ' search(');
      const at = { line: line + 1, character: 0 };
      session.client.change(session.uri(SHOP), 2, [{ range: { start: at, end: at }, text: 'int wrong = "text";\n' }]);
      await session.client.waitFor(
        ({ params }) => JSON.stringify(params ?? null).includes('cannot convert from String to int'),
        SLOW.timeout,
      );
      session.client.change(session.uri(SHOP), 3, [{ text: session.text(SHOP) }]);
    });

    test('a hover says what both know', async () => {
      const contents = async () => JSON.stringify((await session.ask<Hover>('textDocument/hover', search())).contents);
      await expect.poll(contents, SLOW).toMatch(/List<Product> .*search\(String text.*\*\*insitu\*\*/s);
    });

    test('hints stand there, and lenses of both in one list', async () => {
      const { textDocument } = search();
      const hints = async () =>
        (await session.ask<InlayHint[]>('textDocument/inlayHint', { textDocument, range: WHOLE }))
          .map(hintText)
          .join('|');
      await expect.poll(hints, SLOW).toMatch(/28%/);
      const lenses = async () => {
        const found = await session.ask<CodeLens[]>('textDocument/codeLens', { textDocument });
        return {
          own: found.some(({ command }) => command?.command.startsWith('insitu.')),
          java: found.some(({ command }) => command === undefined),
        };
      };
      await expect.poll(lenses, SLOW).toEqual({ own: true, java: true });
      const unresolved = (await session.ask<CodeLens[]>('textDocument/codeLens', { textDocument })).find(
        ({ command }) => command === undefined,
      );
      expect((await session.ask<CodeLens>('codeLens/resolve', unresolved!)).command?.title).toMatch(/reference/);
    });

    test('the call hierarchy has shares, the order of what ran, and classes that only ran', async () => {
      const prepared = () => session.ask<CallHierarchyItem[] | null>('textDocument/prepareCallHierarchy', search());
      await expect.poll(async () => detailOf(await prepared()), SLOW).toMatch(/^28 % of cpu .* com\.acme\.shop\.Shop$/);
      const [item] = (await prepared())!;
      const outgoing = () => session.ask<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
      const both = async () => (await outgoing()).map(({ to }) => `${to.name} | ${to.detail}`);
      await expect.poll(both, SLOW).toEqual(expect.arrayContaining([expect.stringMatching(/ \| com\.acme/)]));
      const lines = await both();
      const at = (pattern: RegExp) => lines.findIndex(line => pattern.test(line));
      const order = [
        /^best\(.* \| 68 % .* com\.acme\.shop\.search\.Ranker$/,
        /^Without\.find/,
        /^Or\.find/,
        /^find\(.*com\.acme\.shop\.search\.Query$/,
      ].map(at);
      expect(order, lines.join('\n')).toEqual(order.toSorted((a, b) => a - b));
      expect(order, lines.join('\n')).not.toContain(-1);
      const only = (await outgoing()).find(({ to }) => to.name.startsWith('Without.find'))!.to;
      const below = async () =>
        (await session.ask<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item: only })).map(
          ({ to }) => `${to.name} | ${to.detail}`,
        );
      await expect.poll(async () => (await below()).join('\n'), SLOW).toMatch(/ %.* · com\.acme/);
    });
  }),
);
