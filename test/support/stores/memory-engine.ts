// A server that speaks as much S3 as a store needs and keeps objects in memory: for tests that look at everything an engine is sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type MemoryEngine = {
  /** The address of the store `s3://profiles/team` on it. */
  readonly store: string;
  /** The objects that were put, by bucket and key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Refuses to answer requests for now, or no longer. */
  down: boolean;
  readonly end: () => Promise<void>;
};

export async function startMemoryEngine(): Promise<MemoryEngine> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      if (engine.down) response.writeHead(503).end();
      else answer(objects, request, Buffer.concat(parts), response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const engine: MemoryEngine = {
    store: `s3://profiles/team?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    down: false,
    end: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return engine;
}

function answer(objects: Map<string, Buffer>, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
  const key = decodeURIComponent(pathname);
  const found = objects.get(key);
  if (searchParams.has('list-type')) {
    const [bucket, prefix] = [key.replaceAll('/', ''), searchParams.get('prefix') ?? ''];
    const contents = [...objects].flatMap(([path, { length }]) => {
      const own = path.slice(bucket.length + 2);
      return own.startsWith(prefix) ? [`<Contents><Key>${own}</Key><Size>${length}</Size></Contents>`] : [];
    });
    response.end(`<ListBucketResult><Name>${bucket}</Name>${contents.join('')}</ListBucketResult>`);
  } else if (request.method === 'PUT') {
    const isRefused = found !== undefined && request.headers['if-none-match'] === '*';
    if (!isRefused) objects.set(key, body);
    response.writeHead(isRefused ? 412 : 200).end();
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (found === undefined) response.writeHead(404).end();
  else response.end(found);
}
