// A Java program whose methods cost known times, and edits of them: what each edit costs is measured by the program's own clock, never by a model.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timeSettings } from '../../../server/record/flight-settings.ts';
import { randomNumbers } from '../../bench/big-profile.ts';
import type { Engine } from '../engines/engines.ts';

/** The kinds of edits, by effect and by whether anybody could know the cost. */
export type EditKind =
  | 'call added'
  | 'call removed'
  | 'call replaced'
  | 'call added in a loop'
  | 'call moved into a loop'
  | 'call in a literal loop'
  | 'call in nested literal loops'
  | 'call in a branch'
  | 'new method of the file'
  | 'interface call added'
  | 'contended call added'
  | 'recursive call added'
  | 'loop of unknown length'
  | 'method that was not timed'
  | 'no effect';

export type KnownEdit = {
  readonly className: string;
  readonly method: string;
  readonly kind: EditKind;
};

export type KnownProgram = {
  /** Texts of the classes with edited methods, by name of the class. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  readonly edits: readonly KnownEdit[];
};

/** Kinds with a cost, then kinds without one. */
const KINDS: readonly EditKind[] = [
  ...['call added', 'call removed', 'call replaced', 'call added in a loop', 'call moved into a loop'],
  ...['call in a literal loop', 'call in nested literal loops', 'call in a branch', 'new method of the file'],
  ...['interface call added', 'contended call added', 'recursive call added'],
] as EditKind[];
const OTHERS: readonly EditKind[] = ['loop of unknown length', 'method that was not timed', 'no effect'];

/** Calls of known cost: sleeping, and computing by the clock. */
const CALLS = ['nap1', 'nap2', 'nap4', 'spin1', 'spin2'].map(name => `Costs.${name}();`);
const PER_CLASS = 20;

/** Whether the cost of an edit follows from its text and what was recorded before. */
export function isKnowable(kind: EditKind): boolean {
  return !OTHERS.includes(kind);
}

/** The costs, which no edit changes. `Bare` is not timed. */
const FIXED: Readonly<Record<string, string>> = {
  Costs: `
class Costs {
  static final java.util.List<String> WORDS = java.util.List.of("a", "b", "c");
  static final Task[] TASKS = { new Quick(), new Quick(), new Slow() };
  static final java.util.Random RANDOM = new java.util.Random(7);
  static void nap1() { sleep(1); }
  static void nap2() { sleep(2); }
  static void nap4() { sleep(4); }
  static void spin1() { compute(1); }
  static void spin2() { compute(2); }
  static synchronized void locked() { sleep(1); }
  static void down(int depth) { sleep(1); if (depth > 0) down(depth - 1); }
  static boolean sometimes() { return RANDOM.nextInt(3) == 0; }
  static java.util.List<String> others() { return WORDS; }
  private static void sleep(int millis) {
    try { Thread.sleep(millis); } catch (InterruptedException e) { throw new RuntimeException(e); }
  }
  private static void compute(int millis) {
    long end = System.nanoTime() + millis * 1_000_000L;
    while (System.nanoTime() < end) Thread.onSpinWait();
  }
}
`,
  Task: 'interface Task { void work(); }\n',
  Quick: 'class Quick implements Task { public void work() { Costs.nap1(); } }\n',
  Slow: 'class Slow implements Task { public void work() { Costs.nap4(); } }\n',
  Bare: `
class Bare {
  static void work() { try { Thread.sleep(2); } catch (InterruptedException e) { throw new RuntimeException(e); } }
}
`,
};

/** @param count edits whose cost can be known; a sixth of that has none, or none that can be known. The same seed gives the same program. */
export function knownProgram(seed: string, count: number): KnownProgram {
  const random = randomNumbers(seed);
  const kinds = [
    ...Array.from({ length: count }, (_, i) => KINDS[i % KINDS.length]!),
    ...Array.from({ length: Math.ceil(count / 6) }, (_, i) => OTHERS[i % OTHERS.length]!),
  ];
  const edits: KnownEdit[] = [];
  const bodies = kinds.map((kind, i) => {
    const edit = { className: `Edited${Math.floor(i / PER_CLASS)}`, method: `method${i}`, kind };
    edits.push(edit);
    return { edit, ...bodiesOf(kind, i, random) };
  });
  const textOf = (of: (body: (typeof bodies)[number]) => string) =>
    new Map(
      [...Map.groupBy(bodies, ({ edit }) => edit.className)].map(([name, own]) => [
        name,
        `class ${name} {\n${own.map(of).join('\n')}}\n`,
      ]),
    );
  return {
    before: textOf(({ edit, before, helper }) => `${methodText(edit.method, before)}${helper.before}`),
    after: textOf(({ edit, after, helper }) => `${methodText(edit.method, after)}${helper.after}`),
    edits,
  };
}

function methodText(name: string, lines: readonly string[]): string {
  return `  void ${name}() {\n${lines.map(line => `    ${line}\n`).join('')}  }\n`;
}

type Bodies = {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Other methods of the class. */
  readonly helper: { readonly before: string; readonly after: string };
};

/** Each body has a first call that stays, the edit, and at times a last call. */
function bodiesOf(kind: EditKind, number: number, random: () => number): Bodies {
  const pick = (not = '') => {
    const left = CALLS.filter(call => call !== not);
    return left[Math.floor(random() * left.length)]!;
  };
  const first = pick();
  const added = pick(first);
  const last = random() < 0.5 ? [] : [CALLS.find(call => call !== first && call !== added)!];
  const loop = (...lines: readonly string[]) => [
    'for (String word : Costs.WORDS) {',
    ...lines.map(each => `  ${each}`),
    '}',
  ];
  const bodies = (before: readonly string[], after: readonly string[], helper = ''): Bodies => ({
    before: [first, ...before, ...last],
    after: [first, ...after, ...last],
    helper: { before: '', after: helper },
  });
  const inner = CALLS.find(call => call !== first && call !== added && !last.includes(call))!;
  switch (kind) {
    case 'call added':
      return bodies([], [added]);
    case 'call removed':
      return bodies([added], []);
    case 'call replaced':
      return bodies([added], [inner]);
    case 'call added in a loop':
      return bodies(loop(inner), loop(inner, added));
    case 'call moved into a loop':
      return bodies([added, ...loop(inner)], loop(inner, added));
    case 'call in a literal loop':
      return bodies([added], ['for (int i = 0; i < 3; i++) {', `  ${added}`, '}']);
    case 'call in nested literal loops': {
      const nested = ['for (int i = 0; i < 2; i++) {', '  for (int j = 1; j <= 2; j++) {', `    ${added}`, '  }', '}'];
      return bodies([], nested);
    }
    case 'call in a branch':
      return bodies([], ['if (Costs.sometimes()) {', `  ${added}`, '}']);
    case 'new method of the file':
      return bodies([], [`helper${number}();`], `  void helper${number}() {\n    ${added}\n    ${inner}\n  }\n`);
    case 'interface call added': {
      const tasks = (...lines: readonly string[]) => ['for (Task task : Costs.TASKS) {', ...lines, '}'];
      return bodies(tasks('  task.work();'), tasks('  task.work();', '  task.work();'));
    }
    case 'contended call added':
      return bodies([], ['Costs.locked();']);
    case 'recursive call added':
      return bodies([], ['Costs.down(2);']);
    case 'loop of unknown length':
      return bodies([], ['for (String word : Costs.others()) {', `  ${added}`, '}']);
    case 'method that was not timed':
      return bodies([], ['Bare.work();']);
    case 'no effect':
      return bodies([added], ['// The same as before.', added]);
  }
}

/** Runs every method once a round, in another order each, and the fixed costs beside; writes the nanoseconds of each method. */
function mainText({ edits }: KnownProgram, rounds: number): string {
  const classes = [...new Set(edits.map(({ className }) => className))];
  const runs = edits.map(({ className, method }, i) => `      case ${i}: the${className}.${method}(); break;`);
  return `
public class Main {
  ${classes.map(name => `static final ${name} the${name} = new ${name}();`).join('\n  ')}
  static void run(int which) {
    switch (which) {
${runs.join('\n')}
    }
  }
  static void warm() {
    for (int i = 0; i < 10; i++) {
      Costs.nap1(); Costs.nap2(); Costs.nap4(); Costs.spin1(); Costs.spin2(); Costs.locked(); Costs.down(2);
      for (Task task : Costs.TASKS) task.work();
    }
  }
  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> { while (true) { Costs.locked(); Bare.work(); } });
    other.setDaemon(true);
    other.start();
    int edits = ${edits.length};
    long[] nanos = new long[edits];
    java.util.List<Integer> order = new java.util.ArrayList<>();
    for (int i = 0; i < edits; i++) order.add(i);
    java.util.Random random = new java.util.Random(11);
    for (int round = -1; round < ${rounds}; round++) {
      warm();
      java.util.Collections.shuffle(order, random);
      for (int which : order) {
        long began = System.nanoTime();
        run(which);
        if (round >= 0) nanos[which] += System.nanoTime() - began;
      }
    }
    StringBuilder text = new StringBuilder();
    for (long each : nanos) text.append(each / ${rounds}.0).append('\\n');
    java.nio.file.Files.writeString(java.nio.file.Path.of(args[0]), text);
  }
}
`;
}

/** Nanoseconds of one run of each edited method, in their order. */
export type Truth = readonly number[];

/** Compiles one version in `folder`, runs it, and reads what its clock says. With `recording`, its calls are traced into that file. */
export function runKnown(
  jdk: Engine,
  folder: string,
  program: KnownProgram,
  which: 'before' | 'after',
  rounds: number,
  recording?: string,
): Truth {
  const place = join(folder, which);
  mkdirSync(place, { recursive: true });
  const texts = { ...FIXED, ...Object.fromEntries(program[which]), Main: mainText(program, rounds) };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(place, `${name}.java`), text);
  const files = Object.keys(texts).map(name => join(place, `${name}.java`));
  execFileSync(jdk.program('javac'), ['-d', place, ...files]);
  const told = join(place, 'told');
  const flags: string[] = [];
  if (recording !== undefined) {
    const settings = join(place, 'time.jfc');
    const traced = ['Costs', 'Quick', 'Slow', ...program.before.keys()];
    writeFileSync(settings, timeSettings({ traced }).text);
    flags.push(`-XX:StartFlightRecording:settings=${settings},filename=${recording}`, '-Xlog:disable');
  }
  execFileSync(jdk.program('java'), [...flags, '-cp', place, 'Main', told], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(told, 'utf8').trim().split('\n').map(Number);
}
