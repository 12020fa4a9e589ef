// Two Java files, of which one calls the other, in a git repository with a store beside it, and the real server over them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LspClient, startServer } from '../insitu/lsp-client.ts';
import { ScratchRepository } from './scratch-repository.ts';

export const SHOP = `class Shop {
  Other other;
  void run() {
    other.hot();
    other.warm();
  }
}
`;

export const OTHER = `class Other {
  void hot() {
    work(1);
  }
  void warm() {
    work(2);
  }
  void work(int number) {}
}
`;

/** The repository is empty at first. */
export class ShopInGit {
  readonly scratch = new ScratchRepository();
  readonly store = join(this.scratch.home, 'store');
  /** Of Shop.java. */
  readonly uri = pathToFileURL(join(this.scratch.root, 'Shop.java')).href;
  #client: LspClient | null = null;

  /** Starts the server and opens Shop.java with a text. @param settings beside store and project */
  async serve(text: string, settings: object = {}, env: Readonly<Record<string, string>> = {}): Promise<LspClient> {
    const { home, root } = this.scratch;
    const client = await startServer({
      folders: [root],
      env: { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...env },
      initializationOptions: { store: this.store, project: 'acme', ...settings },
    });
    this.#client = client;
    client.open(this.uri, text);
    return client;
  }

  async remove(): Promise<void> {
    if (this.#client?.process.exitCode === null) await this.#client.stop();
    this.scratch.remove();
  }
}
