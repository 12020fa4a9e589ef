// Writes the threads of one moment in every notation of thread dumps that a program is known to have.

/** A thread of the sample. Every frame is `class`, `method`, `line`; line 0 is unknown. */
export type SampleThread = {
  readonly name: string;
  readonly id: number;
  readonly state: string;
  readonly frames: readonly (readonly [string, string, number])[];
};

export const THREADS: readonly SampleThread[] = [
  {
    name: 'order "7"; worker',
    id: 31,
    state: 'RUNNABLE',
    frames: [
      ['org.shop.Prices', 'of', 41],
      ['org.shop.Basket$Line', '<init>', 12],
      ['org.shop.Basket$$Lambda/0x00007f3f88000a08', 'apply', 0],
      ['org.shop.Orders', 'lambda$main$0', 9],
      ['java.lang.Thread', 'run', 840],
    ],
  },
  {
    name: 'sleeper [x] #3',
    id: 32,
    state: 'TIMED_WAITING',
    frames: [
      ['java.lang.Thread', 'sleep', 0],
      ['org.shop.Poll', 'every second', 5],
      ['org.shop.Poll', 'main', 3],
    ],
  },
  { name: 'main', id: 1, state: 'BLOCKED', frames: [['Main', 'main', 2]] },
];

type Frame = SampleThread['frames'][number];

function fileOf(className: string): string {
  return `${className.replace(/\$.*/, '').replace(/.*\./, '')}.java`;
}

function element([className, method, line]: Frame, module = ''): string {
  return `${module}${className}.${method}(${line === 0 ? 'Native Method' : `${fileOf(className)}:${line}`})`;
}

function agentFrame([className, method, line]: Frame, i: number): string {
  const known = line === 0 ? '' : `, line=${line}`;
  const kind = i === 0 ? 'Compiled frame; information may be imprecise' : 'Interpreted frame';
  return ` - ${className}.${method}(int, java.lang.String[]) @bci=${i * 7}${known} (${kind})`;
}

function dump(head: string, thread: (thread: SampleThread) => string): string {
  return head + THREADS.map(thread).join('\n');
}

function lines(thread: SampleThread, line: (frame: Frame, i: number) => string): string {
  return thread.frames.map((frame, i) => `${line(frame, i)}\n`).join('');
}

const TITLE = '2026-03-04 05:06:07\nFull thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):\n\n';
const AGENT = 'Attaching to process ID 77, please wait...\nDebugger attached successfully.\nJVM version is 11\n\n';

const jstack = dump(
  TITLE,
  t => `"${t.name}" #${t.id} prio=5 os_prio=0 cpu=1.5ms tid=0x00007f01 nid=0x${t.id} in Object.wait() [0x00007f02]
   java.lang.Thread.State: ${t.state} (somehow)\n${lines(t, frame => `\tat ${element(frame)}`)}
   Locked ownable synchronizers:\n\t- None\n`,
);

const info = dump(
  '',
  t => `"${t.name}" daemon prio=5 Id=${t.id} ${t.state}\n${lines(t, frame => `\tat ${element(frame)}`)}`,
);
const LOG = '2026-03-04 05:06:06.9 INFO o.s.Server : request 7 took 12 ms\n';

/** Text by the name of its notation; `unnamed` ones have no names of threads, `stateless` ones no states of Java. */
export const NOTATIONS: Readonly<Record<string, string>> = {
  'jstack of JDK 17': jstack,
  'jstack without indentation': jstack.replace(/^\s+/gm, ''),
  'jstack with an empty line behind each line': jstack.replaceAll('\n', '\r\n\r\n'),
  'jstack of JDK 5, stateless': dump(
    'Full thread dump Java HotSpot(TM) Client VM (1.5.0_12-b04 mixed mode):\n\n',
    t => `"${t.name}" prio=1 tid=0x0809 nid=0x${t.id} waiting for monitor entry [0xb1..0xb2]
${lines(t, frame => `\tat ${element(frame)}`)}`,
  ),
  'dump to a file of JDK 21, stateless': dump(
    '77\n2026-03-04T05:06:07.123456Z\n21.0.2+13\n\n',
    t => `#${t.id} "${t.name}"\n${lines(t, frame => `      ${element(frame, 'app//')}`)}`,
  ),
  'dump to a file of JDK 25': dump(
    '77\n2026-03-04T05:06:07.123456Z\n25+36\n\n',
    t =>
      `#${t.id} "${t.name}" ${t.state} 2026-03-04T05:06:07.2Z\n${lines(t, f => `    at ${element(f, 'my loader/')}`)}`,
  ),
  'jhsdb jstack': dump(
    AGENT,
    t => `"${t.name}" #${t.id} daemon prio=5 tid=0x00007f01 nid=0x${t.id} runnable [0x0000000000000000]
   java.lang.Thread.State: ${t.state}\n   JavaThread state: _thread_blocked\n${lines(t, agentFrame)}\n`,
  ),
  'jhsdb jstack --mixed': dump(
    AGENT,
    t => `----------------- ${t.id} -----------------
"${t.name}" #${t.id} prio=5 tid=0x00007f01 nid=0x${t.id} runnable [0x0000000000000000]
   java.lang.Thread.State: ${t.state}\n   JavaThread state: _thread_in_native
0x00007f0945940f16\t__futex_abstimed_wait_common + 0xc6
${lines(t, ([c, m, line], i) => `0x00007f09459\t* ${c}.${m}(int) bci:${i}${line ? ` line:${line}` : ''} (Interpreted frame)`)}`,
  ),
  'jstack -F, stateless and unnamed': dump(
    `${AGENT}Deadlock Detection:\n\nNo deadlocks found.\n\n`,
    t => `Thread ${t.id}: (state = BLOCKED)\n${lines(t, agentFrame)}\nLocked ownable synchronizers:\n    - None\n`,
  ),
  VisualVM: dump(
    TITLE,
    t => `"${t.name}" - Thread t@${t.id}\n   java.lang.Thread.State: ${t.state}
${lines(t, frame => `\tat ${element(frame, 'java.base@17/')}`)}\n   Locked ownable synchronizers:\n\t- None\n`,
  ),
  'ThreadInfo of JDK 8': dump(
    '',
    t => `"${t.name}" Id=${t.id} ${t.state} on java.lang.Object@1b2c owned by "x" Id=5 (in native)
${lines(t, frame => `\tat ${element(frame)}`)}\n\tNumber of locked synchronizers = 1\n\t- java.util.X$Sync@1b2c\n`,
  ),
  'ThreadInfo of JDK 11': dump(
    'INFO dump follows\n',
    t => `"${t.name}" daemon prio=5 Id=${t.id} ${t.state}\n${lines(t, frame => `\tat ${element(frame)}`)}`,
  ),
  'another heading': dump(
    TITLE,
    t => `"${t.name}" id=${t.id} state=${t.state}\n${lines(t, frame => `    at ${element(frame)}`)}`,
  ),
  'a debugger': dump(
    TITLE,
    t => `"${t.name}" prio=0 tid=0x0 nid=0x0 waiting\n     java.lang.Thread.State: ${t.state}
 on java.lang.Object@5\n${lines(t, frame => `\tat ${element(frame)}`)}`,
  ),
  'frames with packages of loggers': dump(
    TITLE,
    t => `"${t.name}" #${t.id} prio=5 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: ${t.state}
${lines(t, frame => `\tat ${element(frame)} ~[shop-1.0.jar:1.0]`)}`,
  ),
  'a log of containers': jstack.replace(/^/gm, 'web-1  | '),
  'a log with times': jstack.replace(/^/gm, '2026-03-04T05:06:07.123456789Z stdout F ').replace(/ +$/gm, ''),
  'a log of systemd': jstack.replace(/^/gm, 'Mar 04 05:06:07 host.example java[77]: '),
  'a log as JSON': jstack.replace(/.*\n/g, line => `${JSON.stringify({ log: line, stream: 'stdout' })}\n`),
  'one message of a log': `2026-03-04 05:06:07.001 WARN 1 --- [main] o.s.Watch : ${jstack.slice(jstack.indexOf('\n') + 1)}`,
  'far inside a log, without a title': `${LOG.repeat(900)}${info}`,
  'far inside a log': `${LOG.repeat(900)}${jstack}`,
  'Spring Boot, JSON': JSON.stringify({ threads: THREADS.map(asInfo) }),
  'a list of ThreadInfo, JSON': JSON.stringify(THREADS.map(asInfo), null, 2),
  'Jolokia, JSON': JSON.stringify({ request: { type: 'exec' }, value: THREADS.map(asInfo), status: 200 }),
};

function asInfo({ name, id, state, frames }: SampleThread) {
  const stackTrace = frames.map(([className, methodName, line]) => ({
    classLoaderName: 'app',
    moduleName: null,
    methodName,
    fileName: fileOf(className),
    lineNumber: line === 0 ? -2 : line,
    nativeMethod: line === 0,
    className,
  }));
  const lockedMonitors = [{ className: 'org.shop.Basket', identityHashCode: 255, lockedStackDepth: 0 }];
  return {
    threadName: name,
    threadId: id,
    blockedCount: 3,
    threadState: state,
    priority: 5,
    stackTrace,
    lockedMonitors,
  };
}
