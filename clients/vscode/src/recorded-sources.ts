// Texts of methods as two versions recorded them, in the editor that shows differences.
import type { EditorAnswers } from 'insitu/protocol';
import * as vscode from 'vscode';
import { shownText } from './shown-text.ts';

type ComparedSource = EditorAnswers['comparedSource'];

/** Shows a method in both versions. */
export type ShowSources = (method: string, source: ComparedSource) => Promise<void>;

const SCHEME = 'insitu-source';

/** Keeps the texts while they are shown. */
export class RecordedSources implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #parts: readonly vscode.Disposable[];
  #count = 0;

  constructor() {
    this.#parts = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  readonly show: ShowSources = async (method, { before, now }) => {
    const name = shownText(method);
    const title = `${name} (${shownText(before.version)} ↔ ${shownText(now.version)})`;
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.#addressOf(name, before),
      this.#addressOf(name, now),
      title,
    );
  };

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }

  #addressOf(name: string, { lines, missing, version }: ComparedSource['now']): vscode.Uri {
    const text =
      missing === null ? `${lines.join('\n')}\n` : `// ${shownText(`${missing.message}: ${missing.remedy}`)}\n`;
    this.#count++;
    // The end of the path tells the editor the language.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${version}/${name}.java`, query: `${this.#count}` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}
