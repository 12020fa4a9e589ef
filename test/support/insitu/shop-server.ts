// A server with a small shop open: two versions of data, a saved task, and a file that is not open; what it shows to people is kept.
import { type LspClient, type StartOptions, startServer } from './lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from './lsp-store.ts';

export const SHOP = `package acme;

class Shop {
  void run() {
    queue.take();
    payment.pay();
  }
}
`;

const MAIN = `package acme;

class Main {
  public static void main(String[] args) {
    new Shop().run();
  }
}
`;

const SETTINGS = {
  project: 'acme',
  store: '.store',
  tasks: [
    { name: 'payments', type: 'regex', value: '^acme\\.(?<kind>\\w+)Payment\\.pay$', taskName: `pay by \${kind}` },
  ],
};

const PICTURE = `
acme.Main.main | 20@5
  acme.Shop.run :5 | 20@5
    acme.LockedQueue.take :5 | 50@9
    acme.CardPayment.pay :6 | 15@9
      acme.Bank.book :7 | 5@3
    acme.CashPayment.pay :6 | 10@9`;

const EARLIER = `
acme.Main.main | 20@5
  acme.Shop.run :5 | 20@5
    acme.LockedQueue.take :5 | 5@9
    acme.CardPayment.pay :6 | 75@9`;

/** A question of the server to a person, or a page that it opened. */
export type Asked = { readonly method: string; readonly params: { readonly [key: string]: unknown } };

export type ShopServer = {
  readonly place: LspFolder;
  readonly client: LspClient;
  /** Of Shop.java, which is open. */
  readonly uri: string;
  readonly asked: readonly Asked[];
  /** Sets the answers from now on; null stands for a person who closes the question. */
  answerWith(answer: (asked: Asked) => unknown): void;
  request(operation: string, params?: unknown): Promise<unknown>;
  /** Text of the last message that was shown; empty when there was none. */
  lastMessage(): string;
  stop(): Promise<void>;
};

/** `files` are added to those of the shop, or take their place. */
export async function shopServer(
  options: StartOptions = {},
  files: Readonly<Record<string, string>> = {},
): Promise<ShopServer> {
  const texts = { 'insitu.json': JSON.stringify(SETTINGS), 'acme/Shop.java': SHOP, 'acme/Main.java': MAIN, ...files };
  const place = await lspFolder(texts);
  await putPicture(place.store, PICTURE);
  await putPicture(place.store, EARLIER, { version: '0.9' }, -1000);
  const asked: Asked[] = [];
  let answer: (asked: Asked) => unknown = () => null;
  const client = await startServer({
    folders: [place.folder],
    capabilities: {},
    ...options,
    prepare: connection => {
      for (const method of ['window/showMessageRequest', 'window/showDocument'])
        connection.onRequest(method, (params: Asked['params']) => {
          asked.push({ method, params });
          return answer({ method, params });
        });
    },
  });
  const uri = place.uri('acme/Shop.java');
  client.open(uri, texts['acme/Shop.java']);
  return {
    place,
    client,
    uri,
    asked,
    answerWith: other => {
      answer = other;
    },
    request: (operation, params = {}) => client.connection.sendRequest(`insitu/${operation}`, params),
    lastMessage: () => {
      const shown = client.received.filter(({ method }) => method === 'window/showMessage');
      const params = shown.at(-1)?.params;
      return typeof params === 'object' && params !== null && 'message' in params ? String(params.message) : '';
    },
    stop: async () => {
      if (client.process.exitCode === null) await client.stop();
      await place.remove();
    },
  };
}

/** A question answered with the title that begins so. */
export function choosing(title: string): (asked: Asked) => unknown {
  return ({ params }) => {
    const actions = Array.isArray(params.actions) ? (params.actions as readonly { title: string }[]) : [];
    return actions.find(action => action.title.startsWith(title)) ?? null;
  };
}
