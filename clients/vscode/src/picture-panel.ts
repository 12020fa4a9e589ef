// The page of pictures in a panel of its own: its questions go over the connection to the server, and no port is opened.
import { randomBytes } from 'node:crypto';
import type { ViewAnswerMessage } from 'insitu/protocol';
import * as vscode from 'vscode';
import { withTitles } from './no-data.ts';

/** Asks what one page asks; null where nothing is answered. */
export type AskView = (question: object, token: vscode.CancellationToken) => Promise<ViewAnswerMessage | null>;

/** The messages of the page. */
type FromPage =
  | { readonly kind: 'ask'; readonly id: number; readonly question: object }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'save'; readonly id: number; readonly name: string; readonly base64: string }
  | { readonly kind: 'run'; readonly command: string };

/** The commands that a page may run: both ask the user before they do anything. */
const COMMANDS_OF_PAGES: readonly string[] = ['insitu.importRecording', 'insitu.record'];

const NO_ANSWER = { message: 'The server gave no answer.', remedy: 'Run “insitu: Restart the server”.' };

/** @param folder with the built page; @param address what the page begins with: keys of methods and names of views, empty for everything. */
export function showPicturePanel(folder: vscode.Uri, address: string, ask: AskView): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel('insitu.picture', 'insitu: pictures', vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [folder],
  });
  const running = new Map<number, vscode.CancellationTokenSource>();
  panel.onDidDispose(() => {
    for (const source of running.values()) source.cancel();
  });
  panel.webview.onDidReceiveMessage(async (message: FromPage) => {
    if (message.kind === 'cancel') return running.get(message.id)?.cancel();
    if (message.kind === 'run') {
      if (COMMANDS_OF_PAGES.includes(message.command)) await vscode.commands.executeCommand(message.command);
      return;
    }
    const { id } = message;
    if (message.kind === 'save') {
      const text = await saveFile(message.name, Buffer.from(message.base64, 'base64'));
      return panel.webview.postMessage({ kind: 'saved', id, text });
    }
    const { question } = message;
    const source = new vscode.CancellationTokenSource();
    running.set(id, source);
    const answer = await ask(question, source.token);
    running.delete(id);
    if (!source.token.isCancellationRequested) await panel.webview.postMessage(answerMessage(id, answer));
    source.dispose();
  });
  panel.webview.html = pageHtml(panel.webview, folder, address);
  return panel;
}

/** Asks where the file shall be, which may be on another machine than the window; a sentence that says what became of it. */
export async function saveFile(name: string, content: Uint8Array): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: 'Save from insitu',
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return 'Not saved.';
  try {
    await vscode.workspace.fs.writeFile(target, content);
    return `Saved as ${target.fsPath}.`;
  } catch (error) {
    return `Not saved: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export function answerMessage(id: number, answer: ViewAnswerMessage | null): object {
  if (answer === null) return { kind: 'answer', id, error: NO_ANSWER };
  if ('base64' in answer) return { kind: 'answer', id, bytes: answer.base64 };
  return 'error' in answer.json
    ? { kind: 'answer', id, error: titled(answer.json.error) }
    : { kind: 'answer', id, json: answer.json };
}

function titled(error: unknown): object {
  const problem = error as { readonly message: string; readonly remedy: string };
  return { ...problem, message: withTitles(problem.message), remedy: withTitles(problem.remedy) };
}

/** Only the page's own script runs, and nothing is fetched from anywhere else. */
export function pageHtml(webview: vscode.Webview, folder: vscode.Uri, address: string): string {
  const nonce = randomBytes(16).toString('base64url');
  const at = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  const policy = [
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} blob:; base-uri 'none'; form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en" data-address="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <title>insitu</title>
    <link rel="stylesheet" href="${at('page.css')}">
    <script type="module" nonce="${nonce}" src="${at('page.js')}"></script>
  </head>
  <body>
    <div id="page"></div>
  </body>
</html>`;
}
