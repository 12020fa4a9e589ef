// Tests that recorded traffic of three other language servers comes through us byte by byte, both ways, where we add nothing.
import { expect, test } from 'vitest';
import { framed } from './fake-java-server.ts';
import { type Message, Scripted } from './scripted.ts';
import { type Spoken, trafficOf } from './traffic.ts';

/** Headers of both kinds that servers write. */
const frameOf = ({ body }: Spoken, i: number): Buffer =>
  Buffer.from(
    i % 2 === 0
      ? framed(body)
      : framed(body).replace('\r\n', '\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n'),
  );

/** Messages that the handshake makes another one of, and which tests of it look at. */
const isHandshake = ({ body }: Spoken): boolean => /"method":"initialize"|"result":\{[^{]*"capabilities"/.test(body);

test.each(['typescript', 'json', 'yaml'])('traffic of the server for %s', async name => {
  const spoken = trafficOf(name);
  const scripted = new Scripted();
  const heard: Record<'client' | 'server', Buffer[]> = { client: [], server: [] };
  let initialize: Message = {};
  const said: Record<'client' | 'server', Buffer[]> = { client: [], server: [] };
  for (const [i, message] of spoken.entries()) {
    const bytes = frameOf(message, i);
    const frame = { bytes, bodyStart: bytes.indexOf('\r\n\r\n') + 4 };
    // Our server has nothing to say to any of it.
    if (message.by === 'client') scripted.router.fromClient(frame);
    else if (isHandshake(message)) scripted.answer('java', initialize, JSON.parse(message.body).result);
    else scripted.router.fromJava(frame);
    for (const { id, method } of scripted.rest('own'))
      if (id !== undefined && method !== undefined)
        scripted.answer('own', { id }, method === 'initialize' ? { capabilities: {} } : null);
    await scripted.settled();
    if (isHandshake(message)) {
      if (message.by === 'client') initialize = scripted.next('java');
      else scripted.client.splice(0);
      continue;
    }
    said[message.by].push(bytes);
    heard.client.push(...scripted.client.splice(0));
    heard.server.push(...scripted.java.splice(0));
  }
  expect(said.client.length).toBeGreaterThan(15);
  expect(heard.server.map(String)).toEqual(said.client.map(String));
  expect(heard.client.map(String)).toEqual(said.server.map(String));
});
