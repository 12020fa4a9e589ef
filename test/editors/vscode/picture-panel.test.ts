// The panel with the page of pictures: what its page may do, and how its questions reach the server and come back.
import { expect, test, vi } from 'vitest';

const dialog = vi.hoisted(() => ({ chosen: undefined as object | undefined, write: vi.fn() }));
vi.mock('vscode', () => ({
  Uri: { joinPath: ({ path }: { path: string }, name: string) => ({ path: `${path}/${name}` }) },
  window: { showSaveDialog: async () => dialog.chosen },
  workspace: { fs: { writeFile: dialog.write } },
}));

const { answerMessage, pageHtml, saveFile } = await import('../../../clients/vscode/src/picture-panel.ts');

type Webview = Parameters<typeof pageHtml>[0];
type Uri = Parameters<typeof pageHtml>[1];

test('the page runs its own script alone, with another nonce each time', () => {
  const webview = {
    cspSource: 'https://*.vscode-cdn.net',
    asWebviewUri: ({ path }: Uri) => ({ toString: () => `https://file.vscode-cdn.net${path}` }) as Partial<Uri> as Uri,
  } as Partial<Webview> as Webview;
  const folder = { path: '/ext/server/web' } as Partial<Uri> as Uri;
  const htmls = [pageHtml(webview, folder, 'view=blueprint&method=AbCd-_12'), pageHtml(webview, folder, '')];
  const nonces = htmls.map(html => /script-src 'nonce-([\w-]{22})'/.exec(html)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  expect(htmls[0]).toContain(
    `<script type="module" nonce="${nonces[0]}" src="https://file.vscode-cdn.net/ext/server/web/page.js">`,
  );
  expect(htmls[0]).toContain(`content="default-src 'none'; script-src 'nonce-`);
  expect(htmls[0]).not.toMatch(/unsafe|connect-src|http:/);
  expect(htmls[0]).toContain('data-address="view=blueprint&amp;method=AbCd-_12"');
  expect(htmls[1]).toContain('data-address=""');
});

test('answers are JSON, bytes, or why there is none', () => {
  expect(answerMessage(1, { json: { same: true } })).toEqual({ kind: 'answer', id: 1, json: { same: true } });
  expect(answerMessage(2, { base64: 'AAAA' })).toEqual({ kind: 'answer', id: 2, bytes: 'AAAA' });
  const error = { message: 'no', remedy: 'yes' };
  expect(answerMessage(3, { json: { error } })).toEqual({ kind: 'answer', id: 3, error });
  const empty = { message: 'nothing', remedy: 'insitu.record records a JVM', noData: 'nothing' };
  expect(answerMessage(3, { json: { error: empty } })).toMatchObject({
    error: { remedy: '“insitu: Record a JVM …” records a JVM', noData: 'nothing' },
  });
  expect(answerMessage(4, null)).toMatchObject({ kind: 'answer', id: 4, error: { message: expect.any(String) } });
});

test('a file is saved where the user says, and the page is told what became of it', async () => {
  const content = Uint8Array.of(1, 2);
  expect(await saveFile('shop.svg', content)).toBe('Not saved.');
  expect(dialog.write).not.toHaveBeenCalled();
  dialog.chosen = { fsPath: '/projects/me/shop.svg' };
  expect(await saveFile('shop.svg', content)).toBe('Saved as /projects/me/shop.svg.');
  expect(dialog.write).toHaveBeenCalledWith(dialog.chosen, content);
  dialog.write.mockRejectedValue(new Error('the disk is full'));
  expect(await saveFile('shop.svg', content)).toBe('Not saved: the disk is full');
});
