// Kieker and the Java agent of OpenTelemetry for real: calls by caller as the program makes them, sums as a script adds them up.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { responseTimesOf } from '../../server/metrics/response-times.ts';
import { needs } from '../support/engines/needs.ts';

const source = fileURLToPath(new URL('ServedWork.java', import.meta.url));

/** Calls of each method by each caller. */
const CALLS = {
  'main < -': 1,
  'serve < main': 40,
  'search < serve': 60,
  'rank < search': 60,
  'store < serve': 20,
  'store < store': 60,
  'rank < store': 20,
};

type Sums = { count: number; nanos: number };

/** Response times by method and caller, without constructors. */
function timesOf(profile: Profile): Map<string, Sums> {
  const { methods } = profile;
  const found = new Map<string, Sums>();
  const name = (row: number) => (row === 0 ? '-' : methods.strings[methods.name[row]!]!);
  for (let row = 2; row < methods.length; row++) {
    const [times = null] = responseTimesOf(profile, [[row]]);
    if (name(row) === '<init>') continue;
    for (const { caller, count, sum } of times?.callers ?? [])
      found.set(`${name(row)} < ${name(caller)}`, { count, nanos: sum });
  }
  return found;
}

/** The sums of an awk script over lines of `method nanoseconds`. */
function added(script: string, file: string): Map<string, Sums> {
  const out = execFileSync('awk', [script, file], { encoding: 'utf8' });
  const rows = out
    .trimEnd()
    .split('\n')
    .map(line => line.split(' '));
  return new Map(rows.map(([method, count, nanos]) => [method!, { count: Number(count), nanos: Number(nanos) }]));
}

function byMethod(times: ReadonlyMap<string, Sums>): Map<string, Sums> {
  const found = new Map<string, Sums>();
  for (const [key, { count, nanos }] of times) {
    const method = key.split(' ')[0]!;
    const before = found.get(method) ?? { count: 0, nanos: 0 };
    found.set(method, { count: before.count + count, nanos: before.nanos + nanos });
  }
  return found;
}

const counts = (times: ReadonlyMap<string, Sums>) =>
  Object.fromEntries([...times].map(([key, { count }]) => [key, count]));

needs('jdk17', 'agents that time calls', jdk => {
  needs('tracers', 'on a program with known calls', tracers => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-tracers-'));
    beforeAll(() => void execFileSync(jdk.program('javac'), ['-d', folder, source]));
    afterAll(() => rmSync(folder, { recursive: true }));

    /**
     * Runs the program with an agent, and writes its error output to the file `log`: an agent logs there from threads of its own, so that in one stream with the
     * program's output a line of the one may stand within a line of the other.
     * Result: the time that the program printed, which its calls of `serve` took by its own clock, in nanoseconds.
     */
    function run(agent: string, properties: readonly string[], log: string): number {
      const agentFlag = `-javaagent:${join(tracers.home, `${agent}.jar`)}`;
      const flags = [agentFlag, ...properties.map(each => `-D${each}`), '-cp', folder, 'work.ServedWork'];
      const { status, stdout, stderr } = spawnSync(jdk.program('java'), flags, {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      writeFileSync(log, stderr);
      const time = /^serve (\d+)$/m.exec(stdout);
      if (status !== 0 || time === null) throw new Error(`The program ended with ${status}:\n${stdout}${stderr}`);
      return Number(time[1]);
    }

    /** An agent's own work stands around each call, so that the program's clock sees a little more. */
    function expectOwnClock(times: ReadonlyMap<string, Sums>, nanos: number): void {
      const { nanos: serve } = times.get('serve < main')!;
      expect(serve).toBeLessThanOrEqual(nanos);
      expect(serve).toBeGreaterThan(0.5 * nanos);
    }

    const ASPECTS = {
      executions: 'operationExecution.OperationExecutionAspectFull',
      events: 'flow.operationExecution.FullInstrumentation',
    };

    test.each(Object.entries(ASPECTS))('Kieker, %s', async (name, aspect) => {
      mkdirSync(join(folder, 'META-INF'), { recursive: true });
      const weaver = '<weaver><include within="work.*"/></weaver>';
      const aspects = `<aspects><aspect name="kieker.monitoring.probe.aspectj.${aspect}"/></aspects>`;
      writeFileSync(join(folder, 'META-INF/aop.xml'), `<aspectj>${weaver}${aspects}</aspectj>`);
      const logs = join(folder, name);
      mkdirSync(logs);
      const writer = 'kieker.monitoring.writer.filesystem.FileWriter';
      const own = run(
        'kieker',
        ['kieker.monitoring.skipDefaultAOPConfiguration=true', `${writer}.customStoragePath=${logs}`],
        join(folder, `${name}.log`),
      );
      const [log] = globSync('**/*.dat', { cwd: logs }).map(each => join(logs, each));
      const { profile, problems } = await ingestFile(log!, { names: 'raw' });
      expect(problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
      const times = timesOf(profile!);
      expect(counts(times)).toEqual(CALLS);
      expectOwnClock(times, own);
      if (name !== 'executions') return;
      const script = `BEGIN { FS = ";" } NF == 10 && /work.ServedWork/ && !/<init>/ {
        sub(/\\(.*/, "", $3); n = split($3, parts, "."); m = parts[n]; c[m]++; s[m] += $7 - $6
      } END { for (m in c) printf "%s %d %d\\n", m, c[m], s[m] }`;
      const truth = added(script, log!);
      // awk computes with doubles, which hold moments in nanoseconds to some 250.
      for (const [method, { count, nanos }] of byMethod(times)) {
        expect([method, count]).toEqual([method, truth.get(method)!.count]);
        expect(Math.abs(truth.get(method)!.nanos - nanos)).toBeLessThan(300 * count);
      }
    });

    test('OpenTelemetry’s log of spans', async () => {
      const log = join(folder, 'agent.log');
      const own = run(
        'opentelemetry',
        [
          'otel.traces.exporter=logging-otlp',
          'otel.metrics.exporter=none',
          'otel.logs.exporter=none',
          'otel.instrumentation.methods.include=work.ServedWork[main,serve,search,rank,store]',
        ],
        log,
      );
      const { profile, problems } = await ingestFile(log, { names: 'raw' });
      expect(problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
      const times = timesOf(profile!);
      expect(counts(times)).toEqual(CALLS);
      expectOwnClock(times, own);
      const written = readFileSync(log, 'utf8').match(/"name":"ServedWork\.\w+"/g) ?? [];
      const names = Map.groupBy(written, each => /\.(\w+)"/.exec(each)![1]!);
      expect(Object.fromEntries([...names].map(([name, all]) => [name, all.length]))).toEqual(
        Object.fromEntries([...byMethod(times)].map(([name, { count }]) => [name, count])),
      );
    });
  });
});
