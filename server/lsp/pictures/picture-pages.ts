// The pages of pictures of one client: their web server, which starts with the first address, and their questions over the editor's connection.
import { LRUCache } from 'lru-cache';
import { answerQuestion, type ViewAnswer } from '../../views/answer-question.ts';
import type { ViewHost } from '../../views/view-host.ts';
import type { ViewServer } from '../../views/views-chunk.ts';
import type { RequestLog } from '../request.ts';

/** Documents beside which pages were opened; a page of an older one goes on with a new host. */
const MOST_HOSTS = 16;

/** A visible page asks several times in so long. */
const VISIBLE_MILLIS = 2_000;

/** The document and data that a page stands beside. */
export type Beside = {
  /** Of the open document whose data are meant; null for those of the first folder. */
  readonly uri: string | null;
  readonly newHost: (uri: string | null) => ViewHost;
};

export class PicturePages {
  readonly #log: RequestLog;
  readonly #hosts = new LRUCache<string, ViewHost>({ max: MOST_HOSTS });
  #server: Promise<ViewServer> | null = null;
  #isClosed = false;
  #askedMillis = Number.NEGATIVE_INFINITY;

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /**
   * A new address, good for one page within a minute. Rejects where nothing can be listened on.
   * @param first what the page begins with, as its address says it; empty for everything.
   */
  async addressFor(beside: Beside, first: string): Promise<string> {
    this.#server ??= this.#start();
    const server = await this.#server;
    const address = server.addressFor((question, signal) => this.answer(beside, question, signal));
    return first === '' ? address : `${address}&${first}`;
  }

  /** Whether a page is visible: only those ask. */
  get areWatched(): boolean {
    return performance.now() - this.#askedMillis < VISIBLE_MILLIS;
  }

  /** Rejects with `Cancelled`. */
  answer({ uri, newHost }: Beside, question: unknown, signal: AbortSignal): Promise<ViewAnswer> {
    this.#askedMillis = performance.now();
    const key = uri ?? '';
    const host = this.#hosts.get(key) ?? newHost(uri);
    this.#hosts.set(key, host);
    return answerQuestion(host, question, signal);
  }

  close(): void {
    this.#isClosed = true;
    void this.#server?.then(server => server.close());
    this.#server = null;
  }

  async #start(): Promise<ViewServer> {
    try {
      const { startViewServer } = await import('../../views/views-chunk.ts');
      const server = await startViewServer({
        log: line => this.#log.error(line),
        onIdle: () => {
          this.#server = null;
        },
      });
      if (this.#isClosed) server.close();
      return server;
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }
}
