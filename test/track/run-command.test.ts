// Commands of users that print without measure, or start processes without measure.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../server/track/run-command.ts';

const GIGABYTE = 1_000_000_000;
const MOST_GROWTH = 200 << 20;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-commands-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string, limitMillis = 60_000) =>
  runCommand(command, {
    ...{ folder, env: process.env, limitMillis, signal: new AbortController().signal },
    token: `run-command-${process.pid}`,
  });

test('of a gigabyte of output the end is kept, in little memory and no file', async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const looks = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const { end, tail } = await run(`head -c ${GIGABYTE} /dev/zero | tr '\\0' x; echo; echo the end`);
  clearInterval(looks);
  expect(end).toBe('done');
  expect(tail).toMatch(/^x+\nthe end\n$/);
  expect(tail.length).toBeLessThanOrEqual(8 << 10);
  expect(most - before).toBeLessThan(MOST_GROWTH);
  expect(readdirSync(folder)).toEqual([]);
});

test('processes that start others, each in a session of its own, all end', async () => {
  // Each starts two more, seven times: 255 in all.
  const bomb =
    'i=$1; if [ "$i" -gt 0 ]; then setsid sh "$0" $((i - 1)) & setsid sh "$0" $((i - 1)) & fi; exec sleep 617';
  const { end } = await run(`printf '%s' '${bomb.replaceAll("'", "'\\''")}' > bomb; sh bomb 7`, 2_000);
  expect(end).toBe('timeout');
  expect(sleepers('617')).toEqual([]);
});

function sleepers(seconds: string): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}
