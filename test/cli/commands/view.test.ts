// `insitu view`: the address that it prints leads to a page with the data of top; it follows a store that grows, and ends when it is told.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Answers, Refused, State, States } from '../../../server/views/view-messages.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';
import { insituProgram } from '../../support/insitu/program.ts';

const RECORDING = fileURLToPath(new URL('../../../samples/recordings/shop-v1-jdk25.jfr', import.meta.url));
const methodsWith = (more: object) => ({
  ...{ ask: 'answer', answer: 'top' },
  parameters: { platform: true, sort: 'total', limit: 500, ...more },
});
const METHODS = methodsWith({});

type Viewing = {
  readonly process: ChildProcess;
  readonly address: string;
  readonly out: () => string;
  readonly err: () => string;
  ask<A>(question: object): Promise<A>;
};

const running: ChildProcess[] = [];
afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL');
});

async function view(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): Promise<Viewing> {
  const child = spawn(process.execPath, [insituProgram, 'view', '--no-open', ...args], {
    env: { ...process.env, SSH_CONNECTION: '', ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const [out, err]: string[][] = [[], []];
  child.stdout.on('data', (part: Buffer) => out!.push(part.toString()));
  child.stderr.on('data', (part: Buffer) => err!.push(part.toString()));
  const addressOf = () => /^http:\S+$/m.exec(out!.join(''))?.[0];
  await expect.poll(addressOf, { timeout: 30_000 }).toBeDefined();
  const address = addressOf()!;
  const { origin, hash } = new URL(address);
  const post = async (path: string, body: object, more: Record<string, string> = {}) => {
    const headers = { Origin: origin, ...more };
    return (await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const code = new URLSearchParams(hash.slice(1)).get('code');
  const { token } = (await post('/session', { code })) as { token: string };
  return {
    process: child,
    address,
    out: () => out!.join(''),
    err: () => err!.join(''),
    ask: async <A>(question: object) => (await post('/ask', question, { Authorization: `Bearer ${token}` })) as A,
  };
}

test('a recording is shown with the numbers of top, until Ctrl-C', async () => {
  const viewing = await view([RECORDING]);
  expect(viewing.out()).toMatch(/^shop-v1-jdk25\.jfr · 1 instance · [\d,]+ samples of cpu-time.*\nhttp:/);
  expect(await viewing.ask<State>({ ask: 'state' })).toMatchObject({ editor: false, live: false, baseline: null });
  const { rows, origin } = await viewing.ask<Answers['top']>(METHODS);
  const top = numbersIn(
    (await insitu('top', RECORDING, '--sort', 'total', '--platform', '--limit', '500', '--json')).out,
  ) as {
    rows: { className: string; method: string; total: { part: number } }[];
    whole: object;
  };
  expect(origin.samples).toBeGreaterThan(1000);
  expect(rows.map(({ method, total }) => [method.className, method.name, total.weight])).toEqual(
    top.rows.map(({ className, method, total }) => [className, method, total.part]),
  );
  expect(await viewing.ask({ ask: 'open', look: {}, of: rows[0]!.method.id })).toEqual({
    opened: false,
    reason: 'no editor is beside this page',
  });
  const ended = once(viewing.process, 'exit');
  viewing.process.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(viewing.err()).not.toMatch(/refused|failed/);
});

test('a store that a recorder feeds is followed', async () => {
  const place = await lspFolder({ 'insitu.json': '{ "project": "acme", "store": ".store" }' });
  try {
    await putPicture(place.store, 'acme.Main.main | 20@5');
    const viewing = await view(['--store', place.store, '--project', 'acme']);
    const count = async () => (await viewing.ask<Answers['top']>(METHODS)).origin.samples;
    expect(await count()).toBe(20);
    await putPicture(place.store, 'acme.Main.main | 7@5', {}, 1000);
    await expect.poll(count, { timeout: 20_000 }).toBe(27);
  } finally {
    await place.remove();
  }
});

test('over SSH the line is told that leads the port through', async () => {
  const viewing = await view([RECORDING], { SSH_CONNECTION: '10.0.0.9 50000 10.0.0.1 22' });
  const { port } = new URL(viewing.address);
  expect(viewing.err()).toContain(`ssh -N -L ${port}:127.0.0.1:${port} 10.0.0.1`);
});

test('an expression that never ends is stopped, and the next question answered', async () => {
  const place = await lspFolder({ 'insitu.json': '{ "project": "acme", "store": ".store" }' });
  try {
    await putPicture(place.store, `${'a'.repeat(60)}.b | 20@5`);
    const viewing = await view(['--store', place.store, '--project', 'acme']);
    const refused = await viewing.ask<Refused>(methodsWith({ search: '/^(a+)+$/' }));
    expect(refused.error.message).toContain('takes too long');
    expect((await viewing.ask<Answers['top']>(METHODS)).origin.samples).toBe(20);
  } finally {
    await place.remove();
  }
});

test('what cannot be loaded ends the command with the reason', async () => {
  const { status, err } = await insitu('view', '--no-open', '/nowhere/app.jfr');
  expect(status).toBe(1);
  expect(err).toContain('/nowhere/app.jfr');
});

test('the code that has changed since the recorded commit is known', async () => {
  const scratch = new ScratchRepository();
  try {
    const text =
      'package acme;\n\nclass Main {\n  void run() {\n    fib(30);\n  }\n\n  int fib(int n) {\n    return n;\n  }\n}\n';
    const version = scratch.commit({ 'src/Main.java': text });
    const store = join(scratch.home, 'store');
    await putPicture(store, 'acme.Main.run | 20@5\n  acme.Main.fib :5 | 53@9\n    acme.Gone.go :9 | 1@2', { version });
    writeFileSync(join(scratch.root, 'src/Main.java'), text.replace('return n;', 'return n + 1;'));
    const viewing = await view(['--store', store, '--project', 'acme'], {}, scratch.root);
    const { rows } = await viewing.ask<Answers['top']>(METHODS);
    const names = new Map(rows.map(({ method }) => [method.id, method.name]));
    const { states } = await viewing.ask<States>({ ask: 'states', look: {}, of: [...names.keys()] });
    expect(Object.fromEntries(states.map(([key, state]) => [names.get(key), state]))).toEqual({
      run: 'unchanged',
      fib: 'changed',
      go: 'missing',
    });
  } finally {
    scratch.remove();
  }
});
