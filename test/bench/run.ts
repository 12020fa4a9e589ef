// `npm run bench`: runs every row of every area and prints the table, with what it ran on.

import { fork } from 'node:child_process';
import { globSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../../server/base/message-of.ts';
import { fetchEngine } from '../support/engines/engines.ts';
import { takeTurns } from './against/take-turns.ts';
import { againstTable } from './report/against-table.ts';
import { benchTable, judgedRows, type MeasuredRow } from './report/bench-table.ts';
import { watchSpeed } from './report/machine-speed.ts';
import type { BenchRow } from './row.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const NOT_AREAS = new Set(['run', 'row']);

function areas(): string[] {
  const names = globSync('*.ts', { cwd: folder }).map(file => basename(file, '.ts'));
  return names.filter(name => !NOT_AREAS.has(name)).sort();
}

/** In the child: measures one area and sends each row as it is done. */
async function measureArea(area: string, words: string, quick: boolean, long: boolean): Promise<void> {
  const { rows } = (await import(pathToFileURL(join(folder, `${area}.ts`)).href)) as { rows?: readonly BenchRow[] };
  for (const row of rows?.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) ?? []) {
    const started = performance.now();
    const measured = await row.run({ quick, long }).then(
      figures => ({ figures }),
      (error: unknown) => ({ figures: [], trouble: messageOf(error) }),
    );
    const result: MeasuredRow = { area, name: row.name, seconds: (performance.now() - started) / 1000, ...measured };
    process.send?.(result);
  }
}

/** In the parent: one process an area, so that no area warms up or fills the memory of another. */
function startArea(area: string, which: readonly string[], mostSeconds: number): Promise<MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  const args = ['--area', area, ...which];
  const child = fork(fileURLToPath(import.meta.url), args, {
    stdio: ['ignore', 2, 2, 'ipc'],
    timeout: mostSeconds * 1000,
    execArgv: ['--expose-gc'],
  });
  child.on('message', message => {
    const row = message as MeasuredRow;
    rows.push(row);
    console.error(`  ${area}: ${row.name}, ${row.seconds.toFixed(1)} s`);
  });
  return new Promise(resolve => {
    child.on('close', (status, signal) => {
      if (status !== 0)
        rows.push({
          area,
          name: '(the whole area)',
          seconds: 0,
          figures: [],
          trouble: `ended with ${signal ?? status}`,
        });
      resolve(rows);
    });
  });
}

type Comparing = {
  readonly only?: string | undefined;
  readonly pairs: string;
  readonly json: boolean;
  readonly which: readonly string[];
};

/** Measures rows here and at another commit in turns. */
async function compareWith(commit: string, { only, pairs, json, which }: Comparing): Promise<number> {
  if (only === undefined || !/^[1-9]\d*$/.test(pairs)) {
    console.error('--against takes --only <areas>, as each is measured many times, and --pairs a number from 1');
    return 2;
  }
  try {
    const args = ['--only', only, ...which];
    const comparison = await takeTurns({ root, commit, pairs: Number(pairs), args });
    console.log(json ? JSON.stringify(comparison, null, 2) : againstTable(comparison));
    return comparison.figures.length > 0 ? 0 : 1;
  } catch (error) {
    console.error(messageOf(error));
    return 1;
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      row: { type: 'string', default: '' },
      area: { type: 'string' },
      against: { type: 'string' },
      pairs: { type: 'string', default: '7' },
    },
  });
  if (values.area !== undefined) {
    await measureArea(values.area, values.row, values.quick, values.long);
    process.disconnect?.();
    return 0;
  }
  const only = values.only?.split(',');
  const unknown = only?.find(name => !areas().includes(name));
  if (unknown !== undefined) {
    console.error(`there is no area "${unknown}"; there are ${areas().join(', ')}`);
    return 2;
  }
  const size = [...(values.quick ? ['--quick'] : []), ...(values.long ? ['--long'] : [])];
  const which = ['--row', values.row, ...size];
  if (values.against !== undefined) return compareWith(values.against, { ...values, which });
  // The peer of most rows; fetched before the clock starts, and only where it is missing.
  const peer = await fetchEngine('jdk25', line => console.error(`  engine | ${line}`));
  if ('missing' in peer) console.error(`rows that compare with a JDK will fail: ${peer.missing}`);
  // Only an area that hangs is ended: a busy machine takes several times as long.
  const mostSeconds = values.quick ? 300 : values.long ? 5_400 : 1_800;
  const speedUntilNow = watchSpeed();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const rows: MeasuredRow[] = [];
  for (const area of only ?? areas()) {
    console.error(`${area} …`);
    rows.push(...(await startArea(area, which, mostSeconds)));
  }
  const speed = speedUntilNow();
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const about = {
    machine,
    speed,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    quick: values.quick,
    seconds: Math.round(elapsed()),
  };
  if (rows.length === 0) {
    console.error(`no row is called "${values.row}"`);
    return 2;
  }
  if (values.json) console.log(JSON.stringify({ ...about, rows: judgedRows(rows, speed.factor) }, null, 2));
  else console.log(benchTable(about, rows));
  return rows.some(row => row.trouble !== undefined) ? 1 : 0;
}

process.exitCode = await main();
