// A JVM that works and records on command, and the CPU time that each of its threads takes for it.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export type Kind = 'recursion' | 'locks' | 'requests';

/** The cost of an amount of work. */
export type Phase = {
  /** CPU seconds of all threads of the JVM. */
  readonly cpu: number;
  /** Of these, what its own flight recorder's threads took. */
  readonly recorder: number;
  /** Seconds in which a core of the machine had nothing to do. */
  readonly idle: number;
};

export type WorkingJvm = {
  work(units: number): Promise<Phase>;
  /** Starts the recording as `insitu record` does. */
  startRecording(settings: string): Promise<void>;
  stopRecording(): Promise<void>;
  end(): void;
};

const TICKS_PER_SECOND = 100;
/** Names of threads are cut to 15 bytes: `JFR Thread Samp`, `JFR Sampler Thr`, `JFR Recorder Th`, `JFR Periodic Ta`, … */
const RECORDER_THREAD = /^JFR /;

/** `stackDepth` holds for all its recordings: a JVM takes only the first one. */
export async function startWorkingJvm(classes: string, kind: Kind, stackDepth: number): Promise<WorkingJvm> {
  const child = spawn('java', ['-Xmx512m', '-cp', classes, 'Load', kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (command: string, wanted: RegExp): Promise<void> => {
    child.stdin.write(`${command}\n`);
    const { value } = await lines.next();
    if (!wanted.test(String(value))) throw new Error(`the JVM answers "${value}" to ${command}`);
  };
  await ask(`jfrConfigure stackdepth=${stackDepth}`, new RegExp(`depth: ${stackDepth}`));
  return {
    async work(units) {
      const [threads, idle] = [threadSeconds(child.pid!), idleSeconds()];
      await ask(`work ${units}`, /^done$/);
      const phase = { cpu: 0, recorder: 0, idle: idleSeconds() - idle };
      for (const [thread, { name, seconds }] of threadSeconds(child.pid!)) {
        const taken = seconds - (threads.get(thread)?.seconds ?? 0);
        phase.cpu += taken;
        if (RECORDER_THREAD.test(name)) phase.recorder += taken;
      }
      return phase;
    },
    startRecording(settings) {
      const kept = 'maxage=1h maxsize=64m';
      return ask(`jfrStart name=insitu settings=${settings} path-to-gc-roots=false ${kept}`, /Started recording/);
    },
    stopRecording: () => ask('jfrStop name=insitu', /Stopped recording/),
    end() {
      process.off('exit', kill);
      kill();
    },
  };
}

/** Of every thread of a process: in nanoseconds, where /proc/PID/stat counts hundredths of a second. */
function threadSeconds(pid: number): Map<string, { name: string; seconds: number }> {
  const threads = new Map<string, { name: string; seconds: number }>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    try {
      const name = readFileSync(`${folder}/comm`, 'utf8');
      threads.set(thread, { name, seconds: Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9 });
    } catch {
      // It has ended since.
    }
  }
  return threads;
}

function idleSeconds(): number {
  const [, , , , idle, waiting] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/);
  return (Number(idle) + Number(waiting)) / TICKS_PER_SECOND;
}
