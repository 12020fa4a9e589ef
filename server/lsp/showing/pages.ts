// Shows texts to people whose editor knows the protocol alone: pages as read-only files that it opens, choices, and short messages.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Connection,
  type MessageActionItem,
  MessageType,
  type ShowDocumentParams,
  ShowDocumentRequest,
  ShowMessageNotification,
  ShowMessageRequest,
  type ShowMessageRequestParams,
} from 'vscode-languageserver/node';
import { printableLine, printableName } from '../../base/printable.ts';
import { makeProcessFolder } from '../../base/process-folder.ts';
import { type Page, pageMarkdown, pageMessage } from './page-text.ts';

/** Some clients announce that they show documents and never answer. */
const SHOW_MILLIS = 2_000;

/** More titles than these do not fit into a message. */
const MOST_CHOICES = 8;

export class Pages {
  readonly #connection: Pick<Connection, 'sendRequest' | 'sendNotification'>;
  readonly #canShow: () => boolean;
  /** Private to the user; made when the first page is shown. */
  #folder: string | null = null;
  /** Hash of a page's text → its path. */
  readonly #paths = new Map<string, string>();
  /** How many pages there are of each kind. */
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  /** @param canShow whether the client opens documents when told to. */
  constructor(connection: Pick<Connection, 'sendRequest' | 'sendNotification'>, canShow: () => boolean) {
    this.#connection = connection;
    this.#canShow = canShow;
  }

  /** Shows a message of some lines; asks nothing. */
  tell(...lines: readonly string[]): void {
    const message = lines.map(messageLine).join('\n');
    void this.#connection
      .sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message })
      .catch(() => {});
  }

  /** Opens the page in the editor; where that is not possible, its first rows are told. */
  async show(page: Page): Promise<void> {
    const path = this.#canShow() ? await this.#write(page) : null;
    if (path === null || !(await this.#open(path))) this.tell(...pageMessage(page));
  }

  /** Whether the client has shown it; false also where it cannot, or does not answer in time. */
  async showDocument(document: ShowDocumentParams): Promise<boolean> {
    if (!this.#canShow()) return false;
    const asked = this.#connection.sendRequest(ShowDocumentRequest.type, document);
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), SHOW_MILLIS);
    const answer = await Promise.race([asked.catch(() => null), late]);
    clearTimeout(timer);
    return answer?.success === true;
  }

  /** The chosen one; null when nothing was chosen, or the client cannot ask. At most eight are offered. */
  async choose<T>(
    message: string,
    choices: readonly { readonly title: string; readonly value: T }[],
  ): Promise<T | null> {
    const offered = choices.slice(0, MOST_CHOICES).map(({ title, value }) => ({ title: printableName(title), value }));
    // Of long names no more may be shown than what they have in common.
    for (const [at, each] of offered.entries())
      if (offered.slice(0, at).some(({ title }) => title === each.title)) each.title = `${at + 1}: ${each.title}`;
    const actions = offered.map(({ title }) => ({ title }));
    const question = `insitu: ${messageLine(message)}`;
    const parameters: ShowMessageRequestParams = { type: MessageType.Info, message: question, actions };
    const asked: Promise<MessageActionItem | null> = this.#connection.sendRequest(ShowMessageRequest.type, parameters);
    const chosen = await asked.catch(() => null);
    return offered.find(({ title }) => title === chosen?.title)?.value ?? null;
  }

  /** Removes all pages. */
  close(): void {
    this.#isClosed = true;
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  async #write(page: Page): Promise<string | null> {
    if (this.#isClosed) return null;
    try {
      const text = pageMarkdown(page);
      const path = this.#pathOf(page, text);
      // A read-only file cannot be written again, only replaced.
      await rm(path, { force: true });
      await writeFile(path, text, { mode: 0o400 });
      return path;
    } catch {
      return null;
    }
  }

  /** Each text has a file of its own: IntelliJ and Neovim go on showing what they have read of a file before. */
  #pathOf({ file }: Page, text: string): string {
    const hash = createHash('sha256').update(`${file}\n${text}`).digest('base64');
    const known = this.#paths.get(hash);
    if (known !== undefined) return known;
    const count = (this.#counts.get(file) ?? 0) + 1;
    this.#counts.set(file, count);
    this.#folder ??= this.#makeFolder();
    const path = join(this.#folder, `${file}${count === 1 ? '' : `-${count}`}.md`);
    this.#paths.set(hash, path);
    return path;
  }

  #makeFolder(): string {
    const folder = makeProcessFolder('pages');
    // However the process ends, short of being killed.
    process.once('exit', () => this.close());
    return folder;
  }

  #open(path: string): Promise<boolean> {
    return this.showDocument({ uri: pathToFileURL(path).href, external: false, takeFocus: true });
  }
}

/** VS Code makes links of `[text](address)` in messages, also links that run commands, and names in the text come from outside. */
function messageLine(text: string): string {
  return printableLine(text).replaceAll('](', '] (');
}
