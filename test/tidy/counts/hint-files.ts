// Count: files of the program that run code when a server answers a request for hints once more.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../support/insitu/lsp-client.ts';
import { lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { freePorts } from '../../support/stores/free-ports.ts';
import { type Counted, eachPlace, isProgram, type Project } from './count.ts';
import { connectInspector, filesRunBy } from './inspector.ts';

/** Other work of a server, such as a look at its store, hardly falls into each of so many requests. */
const REQUESTS = 5;
const LONGEST_MILLIS = 30_000;

const SHOP = `class Shop {
  void run() {
    queue.take();
    payment.pay();
    total = total * 31 + price;
  }

  int price() {
    return items.stream().mapToInt(item -> item.price()).sum();
  }
}
`;

/** First and last line, from 0, of all but the file's end: what editors ask for that show a part of a file. */
const SCREEN = [0, 8] as const;

/** Gives hints at methods, at calls, at a hot line without a call and at a lambda. */
const PICTURE = `
Shop.run | 20@5
  LockedQueue.take :3 | 50@9
  CardPayment.pay :4 | 20@9
  CashPayment.pay :4 | 10@9
  Shop.price :4 | 5@9
    Shop.lambda$price$0 :9 | 15@9`;

/** Files of which a function is called on the server's main thread, from the request for hints that were given before to the answer. */
export async function countHintFiles({ root, files }: Project): Promise<Counted> {
  const place = await lspFolder({ 'Shop.java': SHOP }, 'insitu-counts-');
  try {
    await putPicture(place.store, PICTURE);
    const ran = new Set((await ranForHints(root, place.folder, place.uri('Shop.java'))).map(url => fileURLToPath(url)));
    const paths = files.filter(file => isProgram(file) && ran.has(join(root, file.path)));
    return eachPlace(
      paths.map(({ path }) => ({ path, line: 1, message: 'runs code for hints that were given before' })),
    );
  } finally {
    await place.remove();
  }
}

async function ranForHints(root: string, folder: string, uri: string): Promise<string[]> {
  const [port = 0] = await freePorts(1);
  const program = [join(root, 'server/cli/main.ts'), 'lsp', '--stdio'];
  const client = await startServer({
    folders: [folder],
    // A client that does not refresh: its first request is answered when the data are there.
    capabilities: { textDocument: { inlayHint: {} } },
    start: [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http', ...program],
    // Node.js prints that it is inspected.
    errors: 'ignore',
  });
  const timer = setTimeout(() => client.process.kill('SIGKILL'), LONGEST_MILLIS);
  try {
    client.open(uri, SHOP);
    const ask = async () => {
      if ((await client.hints(uri, ...SCREEN)).length === 0) throw new Error('the server gives no hints');
    };
    await ask();
    const inspector = await connectInspector(port);
    const urls = await filesRunBy(inspector.post, ask, REQUESTS);
    inspector.close();
    await client.stop();
    return urls.filter(url => url.startsWith('file:'));
  } finally {
    clearTimeout(timer);
    client.process.kill('SIGKILL');
  }
}
