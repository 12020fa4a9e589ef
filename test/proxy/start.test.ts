// Tests that an editor is answered without a slow Java server, that nothing sent meanwhile is lost, and that what it can do is told later.
import { beforeEach, describe, expect, test } from 'vitest';
import type { KnownServer } from '../../server/proxy/known-server.ts';
import { Scripted, stopTime } from './scripted.ts';

const DYNAMIC = { dynamicRegistration: true };
const REGISTERING = {
  textDocument: { completion: DYNAMIC, definition: DYNAMIC, references: DYNAMIC, rename: DYNAMIC, hover: DYNAMIC },
  workspace: { executeCommand: DYNAMIC },
};
const JAVA = {
  textDocumentSync: 2,
  completionProvider: { triggerCharacters: ['.'] },
  hoverProvider: true,
  foldingRangeProvider: true,
  executeCommandProvider: { commands: ['java.x'] },
};
const OWN = {
  textDocumentSync: 2,
  hoverProvider: true,
  codeLensProvider: {},
  executeCommandProvider: { commands: ['insitu.status'] },
};

stopTime();
let scripted: Scripted;
let written: object[];

beforeEach(() => {
  written = [];
});

/** The editor has asked, ours has answered, and `remembered` is known of the Java server. */
async function start(remembered: object | null, capabilities: object): Promise<void> {
  const known: KnownServer = {
    read: () => (remembered === null ? null : { capabilities: remembered }),
    write: (_, result) => void written.push(result.capabilities),
  };
  scripted = new Scripted(known);
  scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities } });
  scripted.answer('own', scripted.next('own'), { capabilities: OWN });
  await scripted.settled();
}

/** The answer that the editor was given, once it was. */
function told(): Record<string, unknown> {
  const { id, result } = scripted.next('client');
  expect(id).toBe(0);
  return (result as { capabilities: Record<string, unknown> }).capabilities;
}

/** The Java server answers its start. */
async function javaAnswers(initialize: { readonly id?: number | string }, capabilities: object = JAVA): Promise<void> {
  scripted.answer('java', initialize, { capabilities });
  await scripted.settled();
}

describe('a Java server that is known', () => {
  test('is not waited for; what it is sent meanwhile comes in its order, after its answer', async () => {
    await start(JAVA, {});
    expect(told()).toMatchObject({
      completionProvider: { triggerCharacters: ['.'] },
      textDocumentSync: { change: 2, openClose: true },
      executeCommandProvider: { commands: ['java.x', 'insitu.status'] },
    });
    const asked = scripted.next('java');
    const sent = [
      { method: 'initialized', params: {} },
      { method: 'textDocument/didOpen', params: { n: 1 } },
      { id: 1, method: 'textDocument/completion', params: {} },
      { method: 'textDocument/didChange', params: { n: 2 } },
    ];
    for (const message of sent) scripted.fromClient(message);
    expect(scripted.rest('own').map(({ method }) => method)).toEqual([
      'initialized',
      'textDocument/didOpen',
      'textDocument/didChange',
    ]);
    await scripted.wait(45_000);
    expect(scripted.java).toEqual([]);
    await javaAnswers(asked);
    expect(scripted.rest('java')).toEqual(sent);
    expect(written).toEqual([JAVA]);
    scripted.answer('java', { id: 1 }, []);
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([{ id: 1, result: [] }]);
  });

  test('has hovers of ours shown before it has answered, and is answered itself', async () => {
    await start(JAVA, {});
    told();
    const asked = scripted.next('java');
    scripted.from('java', { id: 'q', method: 'window/showMessageRequest', params: {} });
    scripted.fromClient({ id: 'q', result: null });
    expect(scripted.rest('java')).toEqual([{ id: 'q', result: null }]);
    expect(scripted.rest('client')).toMatchObject([{ id: 'q' }]);
    scripted.fromClient({ id: 1, method: 'textDocument/hover', params: {} });
    scripted.answer('own', scripted.next('own'), { contents: 'own' });
    await scripted.wait(2_000);
    expect(scripted.rest('client')).toEqual([{ id: 1, result: { contents: 'own' } }]);
    await javaAnswers(asked);
    expect(scripted.rest('java').map(({ method }) => method)).toEqual(['textDocument/hover']);
  });

  test('and can do something else now has it registered, and the rest said', async () => {
    await start(
      { ...JAVA, completionProvider: undefined, foldingRangeProvider: false, typeHierarchyProvider: true },
      REGISTERING,
    );
    told();
    const asked = scripted.next('java');
    const real = {
      ...JAVA,
      hoverProvider: { workDoneProgress: true },
      executeCommandProvider: { commands: ['java.x', 'java.y'] },
    };
    await javaAnswers(asked, real);
    expect(scripted.rest('client')).toEqual([]);
    scripted.fromClient({ method: 'initialized', params: {} });
    await scripted.settled();
    const [registered, said] = scripted.rest('client');
    expect(registered).toMatchObject({ method: 'client/registerCapability' });
    const { registrations } = registered!.params as { registrations: { method: string; registerOptions: object }[] };
    expect(registrations.map(({ method, registerOptions }) => [method, registerOptions])).toEqual([
      ['textDocument/completion', { documentSelector: null, triggerCharacters: ['.'] }],
      ['workspace/executeCommand', { commands: ['java.y'] }],
    ]);
    expect(said).toMatchObject({ method: 'window/logMessage' });
    expect(JSON.stringify(said)).toMatch(/missing: foldingRange.*gone: typeHierarchy.*changed: hoverProvider\)/);
    expect(written).toEqual([real]);
    scripted.fromClient({ id: registered!.id!, result: null });
    expect(scripted.rest('java').map(({ method }) => method)).toEqual(['initialized']);
  });

  test.each([
    [{ ...JAVA, textDocumentSync: 1 }, 'whole texts'],
    [{ ...JAVA, positionEncoding: 'utf-8' }, 'counts characters'],
  ])('and would misread what it is sent is given up: %j', async (real, reason) => {
    await start(JAVA, {});
    told();
    const asked = scripted.next('java');
    scripted.fromClient({ id: 1, method: 'textDocument/completion', params: {} });
    await javaAnswers(asked, real);
    expect(scripted.java).toEqual([]);
    expect(scripted.givenUp).toEqual(['java']);
    expect(scripted.rest('client')).toMatchObject([
      { id: 1, error: { message: expect.stringContaining(reason) } },
      { method: 'window/logMessage' },
      { method: 'window/showMessage' },
    ]);
    expect(written).toEqual([real]);
  });

  test('and ends, or refuses, before it has answered: what waits for it fails, ours goes on', async () => {
    for (const end of ['dies', 'refuses']) {
      await start(JAVA, {});
      told();
      const asked = scripted.next('java');
      scripted.fromClient({ id: 1, method: 'textDocument/completion', params: {} });
      scripted.fromClient({ id: 2, method: 'textDocument/hover', params: {} });
      if (end === 'dies') scripted.router.javaEnded('the Java server ended with status 1');
      else scripted.fail('java', asked, 'no Java 21');
      await scripted.settled();
      scripted.answer('own', scripted.next('own'), { contents: 'own' });
      await scripted.settled();
      const [failed, , , hover] = scripted.rest('client');
      expect(failed).toMatchObject({ id: 1, error: { message: expect.stringMatching(/status 1|no Java 21/) } });
      expect(hover).toEqual({ id: 2, result: { contents: 'own' } });
      expect(scripted.java).toEqual([]);
      expect(written).toEqual([]);
    }
  });

  test('and never answers is given up before what waits for it is more than can be kept', async () => {
    await start(JAVA, {});
    told();
    const text = 'x'.repeat(1 << 20);
    for (let version = 1; version <= 63; version++)
      scripted.fromClient({ method: 'textDocument/didChange', params: { version, text } });
    expect(scripted.client).toEqual([]);
    for (let version = 64; version <= 80; version++)
      scripted.fromClient({ method: 'textDocument/didChange', params: { version, text } });
    expect(JSON.stringify(scripted.rest('client'))).toContain('has not answered, and 64 MiB wait for it');
    expect(scripted.givenUp).toEqual(['java']);
  });

  test('and is left before it has answered is told to exit at once', async () => {
    await start(JAVA, {});
    told();
    scripted.next('java');
    scripted.fromClient({ method: 'initialized', params: {} });
    scripted.fromClient({ id: 9, method: 'shutdown' });
    expect(scripted.rest('client')).toEqual([{ id: 9, result: null }]);
    scripted.fromClient({ method: 'exit' });
    expect(scripted.rest('java')).toEqual([{ method: 'exit' }]);
  });

  test('is waited for where it counts characters in another way', async () => {
    await start({ ...JAVA, positionEncoding: 'utf-8' }, REGISTERING);
    await scripted.wait(1_900);
    expect(scripted.client).toEqual([]);
  });
});

describe('a Java server of which nothing is known', () => {
  test('is waited for a moment, then registered when it is there', async () => {
    await start(null, REGISTERING);
    await scripted.wait(1_900);
    expect(scripted.client).toEqual([]);
    await scripted.wait(200);
    expect(told()).toEqual({
      ...OWN,
      textDocumentSync: { openClose: true, change: 1, save: true },
      codeLensProvider: { resolveProvider: true },
    });
    scripted.fromClient({ method: 'initialized', params: {} });
    const asked = scripted.next('java');
    await scripted.wait(45_000);
    await javaAnswers(asked);
    expect(scripted.rest('java').map(({ method }) => method)).toEqual(['initialized']);
    expect(JSON.stringify(scripted.next('client'))).toMatch(/registerCapability.*textDocument.completion.*java\.x/);
    expect(written).toEqual([JAVA]);
  });

  test('is waited for a while longer by a client that cannot be told later, which is told why', async () => {
    await start(null, {});
    await scripted.wait(2_000);
    const [said] = scripted.rest('client');
    expect(said).toMatchObject({ method: 'window/logMessage' });
    expect(JSON.stringify(said)).toContain('waiting up to 15 s for the Java server');
    await scripted.wait(12_000);
    expect(scripted.client).toEqual([]);
    const asked = scripted.next('java');
    await javaAnswers(asked);
    expect(told()).toMatchObject({ foldingRangeProvider: true, codeLensProvider: {} });
    expect(written).toEqual([JAVA]);
  });

  test('and answers after an editor would have given us up: hints have gone on, and the next start has its features', async () => {
    await start(null, {});
    await scripted.wait(2_000);
    scripted.next('client');
    await scripted.wait(13_000);
    expect(told()).toMatchObject({ hoverProvider: true });
    const asked = scripted.next('java');
    scripted.fromClient({ method: 'initialized', params: {} });
    scripted.fromClient({ method: 'textDocument/didOpen', params: {} });
    await javaAnswers(asked);
    expect(scripted.rest('java').map(({ method }) => method)).toEqual(['initialized', 'textDocument/didOpen']);
    expect(JSON.stringify(scripted.rest('client'))).toMatch(/the next start knows it \(missing: completionProvider/);
    expect(written).toEqual([JAVA]);
  });

  test('and answers before ours does is told to the editor, and ours is not waited for without end', async () => {
    for (const later of [REGISTERING, {}]) {
      scripted = new Scripted();
      scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities: later } });
      const asked = scripted.next('java');
      await scripted.wait(2_000);
      await scripted.wait(13_000);
      scripted.rest('client');
      await javaAnswers(asked);
      expect(scripted.client).toEqual([]);
      await scripted.wait(20_000);
      expect(told()).toEqual(JAVA);
      expect(JSON.stringify(scripted.rest('client'))).toContain('the insitu server does not answer');
      expect(scripted.givenUp).toEqual(['own']);
      scripted.fromClient({ method: 'initialized', params: {} });
      expect(scripted.rest('java').map(({ method }) => method)).toEqual(['initialized']);
    }
  });

  test('and says nothing while ours says nothing is waited for, and has the editor when it answers', async () => {
    scripted = new Scripted();
    scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities: REGISTERING } });
    const asked = scripted.next('java');
    await scripted.wait(2_000);
    await scripted.wait(20_000);
    expect(scripted.client).toEqual([]);
    expect(scripted.givenUp).toEqual(['own']);
    await javaAnswers(asked);
    expect(told()).toEqual(JAVA);
  });
});
