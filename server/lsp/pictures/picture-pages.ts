// The pages of pictures of one client: their web server, which starts with the first address, and their questions over the editor's connection.
import { LRUCache } from 'lru-cache';
import { answerQuestion, type ViewAnswer } from '../../views/answer-question.ts';
import type { ViewHost } from '../../views/view-host.ts';
import type { ViewServer } from '../../views/views-chunk.ts';
import type { RequestLog } from '../request.ts';

/** Documents beside which pages were opened; a page of an older one goes on with a new host. */
const MOST_HOSTS = 16;

/** Makes what a page beside an open document is shown from; of the first folder's data for null. */
export type HostMaker = (uri: string | null) => ViewHost;

export class PicturePages {
  readonly #log: RequestLog;
  readonly #hosts = new LRUCache<string, ViewHost>({ max: MOST_HOSTS });
  #server: Promise<ViewServer> | null = null;
  #isClosed = false;

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /**
   * A new address, good for one page within a minute. Rejects where nothing can be listened on.
   * @param uri of the open document whose data are meant; null for those of the first folder.
   * @param of key of the method that the page begins with; null for everything.
   */
  async addressFor(hostOf: HostMaker, uri: string | null, of: string | null): Promise<string> {
    this.#server ??= this.#start();
    const server = await this.#server;
    const address = server.addressFor((question, signal) => this.answer(hostOf, uri, question, signal));
    return of === null ? address : `${address}&of=${of}`;
  }

  /** Rejects with `Cancelled`. */
  answer(hostOf: HostMaker, uri: string | null, question: unknown, signal: AbortSignal): Promise<ViewAnswer> {
    const key = uri ?? '';
    const host = this.#hosts.get(key) ?? hostOf(uri);
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
