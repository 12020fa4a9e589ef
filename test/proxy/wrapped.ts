// Starts our server in front of a scripted Java server, in a folder with one class that ran.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LspClient, type StartOptions, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { insituProgram } from '../support/insitu/program.ts';
import type { FakeJava, FakeOrder } from './fake-java-server.ts';

const FAKE = fileURLToPath(new URL('./fake-java-server.ts', import.meta.url));

/** `run` took all the time, two thirds of it in a class that the source does not name. */
export const SHOP =
  'class Shop {\n  OrderQueue queue;\n  void run() {\n    queue.take();\n    never();\n  }\n  void never() {}\n}\n';
const PICTURE = 'Shop.run | 30@4\n  LockedQueue.take :4 | 60@9';

export type Wrapped = {
  readonly client: LspClient;
  readonly place: LspFolder;
  readonly uri: string;
  /** Tells the Java server what to do, and gives its answer. */
  order<T>(order: FakeOrder): Promise<T>;
  /** The messages that the Java server received, as they came. */
  received(): Promise<string[]>;
  /** Waits until our server has its data. */
  loaded(): Promise<unknown>;
  /** Everything that was logged. */
  log(): string;
  end(): Promise<number | null>;
};

/** `command` in place of the scripted server. */
export async function startWrapped(
  java: FakeJava,
  options: StartOptions & { readonly command?: string; readonly picture?: string } = {},
): Promise<Wrapped> {
  const place = await lspFolder({ 'Shop.java': SHOP });
  await putPicture(place.store, options.picture ?? PICTURE);
  const command = options.command ?? `"${process.execPath}" "${FAKE}"`;
  const client = await startServer({
    folders: [place.folder],
    capabilities: {},
    ...options,
    start: [insituProgram, 'lsp', '--stdio', '--wrap', command],
    // Kept answers of other tests' servers are not of this one.
    env: { FAKE_JAVA: JSON.stringify(java), XDG_CACHE_HOME: join(place.store, '..', 'cache'), ...options.env },
  });
  const order = <T>(given: FakeOrder) => client.connection.sendRequest<T>('fake/do', given);
  return {
    client,
    place,
    uri: place.uri('Shop.java'),
    order,
    received: () => order({ kind: 'received' }),
    loaded: () => client.waitFor(({ params }) => JSON.stringify(params)?.includes('samples of cpu') === true, 60_000),
    log: () =>
      client.received
        .filter(({ method }) => method === 'window/logMessage' || method === 'window/showMessage')
        .map(({ params }) => JSON.stringify(params))
        .join('\n'),
    end: async () => {
      const status = client.process.exitCode ?? (await client.stop());
      await place.remove();
      return status;
    },
  };
}
