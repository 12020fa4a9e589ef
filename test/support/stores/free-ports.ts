// Ports of this machine that nobody listens on, for servers that must be told theirs.
import { createServer } from 'node:net';

/** All different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = servers.map(
    server =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          if (typeof address === 'object' && address !== null) resolve(address.port);
          else reject(new Error('no port'));
        });
      }),
  );
  const found = await Promise.all(ports);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return found;
}
