// Publishes what several providers find in documents as diagnostics: one message a document with everything that holds in it.

import {
  type Diagnostic,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { messageOf } from '../base/message-of.ts';
import { turns } from '../base/pause.ts';
import { printableLine } from '../base/printable.ts';
import { AskedFirst } from '../workspace/code/asked-first.ts';

/** Everything that one provider finds in a document now: all of it each time, nothing where there is nothing or it is switched off. */
type DiagnosticProvider = (uri: string) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;

type DiagnosticSender = {
  sendNotification(type: typeof PublishDiagnosticsNotification.type, params: PublishDiagnosticsParams): Promise<void>;
};

/** Nothing changes for this long before anything is said: typing goes on, or many documents are being opened, and requests come first. */
const DEBOUNCE_MILLIS = 250;

type PublisherOptions = {
  readonly debounceMillis?: number;
  /** Told when a provider fails; the others' diagnostics are published all the same. */
  readonly onError?: (message: string) => void;
};

/** Asks all providers about documents that changed, and sends the union where it is another than the client has. */
export class DiagnosticsPublisher {
  readonly #sender: DiagnosticSender;
  readonly #providers: readonly DiagnosticProvider[];
  readonly #debounceMillis: number;
  readonly #onError: (message: string) => void;
  /** Documents that changed since the last time that all were asked about. */
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** The latest question about each document that is not answered yet: an answer that was overtaken is dropped. */
  readonly #turns = new Map<string, symbol>();
  /** The diagnostics that the client shows, as text to compare with; documents without diagnostics are not in it. */
  readonly #shown = new Map<string, string>();
  /** Many documents may be due at once: others are let in between them. */
  readonly #queue = new AskedFirst();
  readonly #turn = turns();
  #isClosed = false;

  constructor(sender: DiagnosticSender, providers: readonly DiagnosticProvider[], options: PublisherOptions = {}) {
    this.#sender = sender;
    this.#providers = providers;
    this.#debounceMillis = options.debounceMillis ?? DEBOUNCE_MILLIS;
    this.#onError = options.onError ?? (() => {});
  }

  /** Something about the document changed: its text, its data, settings, or it was opened or closed. */
  changed(uri: string): void {
    if (this.#isClosed) return;
    this.#changed.add(uri);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#publishChanged(), this.#debounceMillis).unref();
  }

  /** The same for several documents, and for all that diagnostics are shown of. */
  changedAll(uris: Iterable<string>): void {
    for (const uri of new Set([...uris, ...this.#shown.keys()])) this.changed(uri);
  }

  /** Publishes nothing any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #publishChanged(): void {
    for (const uri of this.#changed)
      void this.#queue.add(uri, async () => {
        await this.#turn();
        await this.#publish(uri);
      });
    this.#changed.clear();
  }

  async #publish(uri: string): Promise<void> {
    const turn = Symbol(uri);
    this.#turns.set(uri, turn);
    const found = await Promise.all(this.#providers.map(provider => this.#ask(provider, uri)));
    if (this.#isClosed || this.#turns.get(uri) !== turn) return;
    this.#turns.delete(uri);
    const diagnostics = found.flat().map(withSafeMessage);
    const text = JSON.stringify(diagnostics);
    if (text === (this.#shown.get(uri) ?? '[]')) return;
    if (diagnostics.length === 0) this.#shown.delete(uri);
    else this.#shown.set(uri, text);
    // A client that is gone misses nothing.
    await this.#sender.sendNotification(PublishDiagnosticsNotification.type, { uri, diagnostics }).catch(() => {});
  }

  async #ask(provider: DiagnosticProvider, uri: string): Promise<readonly Diagnostic[]> {
    try {
      return await provider(uri);
    } catch (error) {
      // An error at the end of the session is no failure.
      if (!this.#isClosed) this.#onError(`diagnostics failed: ${messageOf(error)}`);
      return [];
    }
  }
}

/** Messages name what comes from recordings; Markdown of ours has escaped it already. */
function withSafeMessage(diagnostic: Diagnostic): Diagnostic {
  const { message } = diagnostic;
  return typeof message === 'string' ? { ...diagnostic, message: printableLine(message) } : diagnostic;
}
