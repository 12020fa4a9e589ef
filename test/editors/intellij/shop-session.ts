// The sample's second version in git as IntelliJ has it open: every file of it, the hints that it asks for, and the edits that are typed.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExpectedHint } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { type ShopInGit, shopInGit, wantedLines } from '../neovim/expected-shop.ts';
import { type Lsp4jSession, startLsp4j } from './lsp4j-session.ts';

export type Position = { readonly line: number; readonly character: number };
export type Command = { readonly title: string; readonly command: string; readonly arguments?: readonly unknown[] };

/** A hint as LSP4J holds it. */
export type Hint = {
  readonly position: Position;
  readonly label:
    | string
    | readonly { readonly value: string; readonly tooltip?: unknown; readonly command?: Command }[];
  readonly data: { readonly kind: string; readonly change?: ExpectedHint['change'] };
};

const SOURCES = 'src/main/java';

export class ShopSession {
  readonly lsp: Lsp4jSession;
  /** Paths below the source root. */
  readonly files: readonly string[];
  readonly #shop: ShopInGit;
  readonly #texts = new Map<string, string>();
  #version = 1;

  private constructor(lsp: Lsp4jSession, shop: ShopInGit) {
    this.lsp = lsp;
    this.#shop = shop;
    this.files = globSync('**/*.java', { cwd: join(shop.repository.root, SOURCES) }).sort();
  }

  /** Starts the server in the repository with the settings of the template folder. */
  static async start(
    engines: { readonly java: Engine; readonly lsp4j: Engine },
    settings: object,
  ): Promise<ShopSession> {
    const shop = shopInGit();
    const env = { INSITU_STORE: shop.store, ...shop.repository.env };
    return new ShopSession(await startLsp4j(engines, { folder: shop.repository.root, settings, env }), shop);
  }

  uri(file: string): string {
    return pathToFileURL(join(this.#shop.repository.root, SOURCES, file)).href;
  }

  /** Lines of the text as it stands in the editor. */
  lines(file: string): string[] {
    return this.#text(file).split('\n');
  }

  open(file: string): void {
    const textDocument = { uri: this.uri(file), languageId: 'java', version: this.#version, text: this.#text(file) };
    this.lsp.tell('textDocument/didOpen', { textDocument });
  }

  /** Types whole lines before `line` (0-based). */
  insert(file: string, line: number, lines: readonly string[]): void {
    const at = { line, character: 0 };
    const typed = lines.map(text => `${text}\n`).join('');
    this.#texts.set(
      file,
      this.lines(file)
        .toSpliced(line, 0, ...lines)
        .join('\n'),
    );
    this.#change(file, { range: { start: at, end: at }, text: typed });
  }

  /** Takes back all edits of a file. */
  restore(file: string): void {
    this.#texts.delete(file);
    this.#change(file, { text: this.#text(file) });
  }

  /** All hints of a file, asked for in one range over all of it, as LSP4IJ does. */
  hints(file: string): Promise<readonly Hint[]> {
    const lines = this.lines(file);
    const end = { line: lines.length - 1, character: lines.at(-1)!.length };
    const params = { textDocument: { uri: this.uri(file) }, range: { start: { line: 0, character: 0 }, end } };
    return this.lsp.ask('textDocument/inlayHint', params);
  }

  /** Hints of all files as `wantedLines` writes them. */
  async hintLines(): Promise<string[]> {
    const rows: ExpectedHint[] = [];
    for (const file of this.files)
      for (const hint of await this.hints(file)) rows.push({ ...NO_HINT, file, ...shownIn(hint) });
    return linesOf(rows);
  }

  async close(): Promise<string> {
    const complaints = await this.lsp.close();
    this.#shop.remove();
    return complaints;
  }

  #text(file: string): string {
    const known = this.#texts.get(file) ?? readFileSync(join(this.#shop.repository.root, SOURCES, file), 'utf8');
    this.#texts.set(file, known);
    return known;
  }

  #change(file: string, change: object): void {
    const textDocument = { uri: this.uri(file), version: ++this.#version };
    this.lsp.tell('textDocument/didChange', { textDocument, contentChanges: [change] });
  }
}

const NO_HINT: ExpectedHint = {
  ...{ file: '', line: 0, kind: 'method', method: '', text: '', share: '', others: 0 },
  ...{ heat: 0, count: 0, weight: 0, of: 0, change: null },
};

/** Expected hints as lines of text, in one order. */
export function linesOf(hints: readonly ExpectedHint[]): string[] {
  return wantedLines({ hints, files: [], totals: { samples: 0, truncated: 0, weight: 0, ties: 0, hints: {} } });
}

export function textOf({ label }: Hint): string {
  return typeof label === 'string' ? label : label.map(({ value }) => value).join('');
}

function shownIn(hint: Hint): Pick<ExpectedHint, 'line' | 'kind' | 'text' | 'change'> {
  const { position, data } = hint;
  const kind = (['method', 'lambda', 'call', 'line'] as const).find(each => each === data.kind)!;
  return { line: position.line + 1, kind, text: textOf(hint), change: data.change ?? null };
}

/** A method with nothing else on its line and its body's first line behind it, in which a line can be typed. */
export function isPlain({ file, line, kind, method, others }: ExpectedHint, session: ShopSession): boolean {
  const text = session.lines(file)[line - 1]!;
  return kind === 'method' && others === 0 && !/<(cl)?init>/.test(method) && /^ {4}\S.*\{$/.test(text);
}
