// How much of its time a JVM gave to its compiler, against the events as the JDK's own tool prints them, and against programs that compile until their end or not at all.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestFile } from '../../../server/ingest/read.ts';
import { forkSettings } from '../../../server/record/flight-settings.ts';
import { needs } from '../../support/engines/needs.ts';

/** `new`: compiles Java in its own process with ever new classes, which keeps the JVM's compiler busy too. `loop`: one loop. */
const PROGRAM = `
import java.net.URI;
import java.util.List;
import javax.tools.*;
public class Program {
  static volatile long sum;
  public static void main(String[] args) throws Exception {
    long until = System.nanoTime() + 4_000_000_000L;
    if (args[0].equals("loop")) for (; System.nanoTime() < until;) for (int i = 0; i < 1000; i++) sum += i;
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (int number = 0; System.nanoTime() < until; number++) {
      String text = "class C" + number + " { int f(int a) { return a + " + number + "; } }";
      var source = new SimpleJavaFileObject(URI.create("string:///C" + number + ".java"), JavaFileObject.Kind.SOURCE) {
        @Override public CharSequence getCharContent(boolean ignore) { return text; }
      };
      compiler.getTask(null, null, null, List.of("-d", args[1]), null, List.of(source)).call();
    }
  }
}
`;

type Printed = {
  readonly recording: {
    readonly events: readonly {
      readonly values: {
        readonly startTime: string;
        readonly user: number;
        readonly system: number;
        readonly eventThread: { readonly osName: string };
      };
    }[];
  };
};

for (const version of ['jdk17', 'jdk25'] as const)
  needs(version, 'the load of the compiler', jdk => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-compiler-'));
    const file = (kind: string) => join(folder, `${kind}.jfr`);
    beforeAll(() => {
      const [source, settings] = [join(folder, 'Program.java'), join(folder, 'settings.jfc')];
      writeFileSync(source, PROGRAM);
      writeFileSync(settings, forkSettings().text);
      execFileSync(jdk.program('javac'), ['-d', folder, source]);
      for (const kind of ['loop', 'new'])
        execFileSync(jdk.program('java'), [
          ...[`-XX:StartFlightRecording=filename=${file(kind)},settings=${settings},dumponexit=true`, '-cp', folder],
          ...['Program', kind, folder],
        ]);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const read = (kind: string, more = {}) =>
      ingestFile(file(kind), { names: 'normalised', compilerLoad: true, ...more });
    const share = ({ compiler, all }: { compiler: number; all: number }) => compiler / all;

    test('a loop is compiled once, a program that always runs other code until its end', async () => {
      const [loop, other] = [(await read('loop')).compilerThirds!, (await read('new')).compilerThirds!];
      expect(share(loop[2]!)).toBeLessThan(0.05);
      expect(share(other[0]!)).toBeGreaterThan(0.2);
      expect(share(other[2]!)).toBeGreaterThan(share(loop[2]!));
    });

    test('all thirds together have the share that the events of the tool have', async () => {
      const printed = execFileSync(
        jdk.program('jfr'),
        ['print', '--json', '--events', 'jdk.ThreadCPULoad', file('new')],
        { encoding: 'utf8', maxBuffer: 1 << 26 },
      );
      const loads = (JSON.parse(printed) as Printed).recording.events.map(({ values }) => ({
        isCompiler: values.eventThread.osName.includes('CompilerThread'),
        load: values.user + values.system,
      }));
      const sum = (rows: typeof loads) => rows.reduce((total, { load }) => total + load, 0);
      const thirds = (await read('new')).compilerThirds!;
      const total = (part: 'compiler' | 'all') => thirds.reduce((sum, each) => sum + each[part], 0);
      const told = sum(loads.filter(({ isCompiler }) => isCompiler)) / sum(loads);
      expect(loads.length).toBeGreaterThan(10);
      expect(Math.abs(total('compiler') / total('all') - told)).toBeLessThan(0.1);
    });

    test('other readers of the same events read what they did', async () => {
      const typed = await ingestFile(file('new'), { names: 'normalised', timeTypes: true });
      const both = await read('new', { timeTypes: true });
      expect(both.profile!.cells).toEqual(typed.profile!.cells);
      expect(both.compilerThirds).toEqual((await read('new')).compilerThirds);
      expect(typed.compilerThirds).toBe(undefined);
    });
  });
