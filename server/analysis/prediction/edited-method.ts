// The cost of an edit of one method: calls that are new, gone, or run more or less often, with the response times of their callees.
import type { Pause } from '../../base/pause.ts';
import { assumedIterations } from './assumptions.ts';
import type { BodyCosts } from './body-costs.ts';
import { Caller, type Known } from './called.ts';
import { type Difference, differencesOf } from './differences.ts';
import type { FileNames, Numbered } from './expressions.ts';
import { Flow, type LoopOfText } from './flow.ts';
import { type Run, type Version, VersionOfMethod } from './frames.ts';
import { type Counted, Frequencies } from './frequencies.ts';
import { matchCalls } from './matched-calls.ts';
import { type EditedMethod, readMethod, type WrittenMethod } from './method-code.ts';
import { Places } from './places.ts';
import type { PredictedMethod, PredictedTerm, UnpredictedMethod } from './prediction.ts';
import { Recursion } from './recursion.ts';
import { Relevance } from './relevance.ts';
import { isQueryName } from './remote-calls.ts';
import { summed } from './sums.ts';

/** Both versions of a file. */
export type EditedFile = {
  readonly before: Version & { readonly names: FileNames };
  readonly after: Version & { readonly names: FileNames };
};

/** Code of a method: the JVM takes none whose bytecode is larger than 64 KiB, which are some 3,000 branches. */
const MOST_CODE = 200_000;
/** Calls of a method that differ from the recorded ones: nobody reads more. */
const MOST_TERMS = 500;

type Grounds = Known & {
  readonly bodies: BodyCosts;
  readonly pause: Pause;
};

/** The predicted cost of an edited method; null where its calls are the recorded ones, and run as often. */
export function predictMethod(
  grounds: Grounds,
  file: EditedFile,
  method: EditedMethod,
): PredictedMethod | UnpredictedMethod | null {
  const { assumptions, pause } = grounds;
  const { declaration, name, nameLine, title } = method;
  const left = (reason: string): UnpredictedMethod => ({ declaration, name, line: nameLine, reason });
  if ([method, method.before].some(({ span }) => span.end - span.start > MOST_CODE))
    return left(`its code has more than ${MOST_CODE.toLocaleString('en')} characters`);
  const places = new Places();
  const recursion = new Recursion(grounds.timed, method.rows);
  const { before, after } = bothVersions(grounds, file, method, { places, own: recursion.own });
  pause();
  const matched = matchCalls({ before, after });
  pause();
  const frequencies = new Frequencies(places, header => assumedIterations(assumptions, title, header));
  for (const frame of before.frames) frequencies.measure(countsOf(before, frame, frequencies));
  pause();
  const found = differencesOf(matched, before.runs, frequencies);
  const relevance = new Relevance(grounds, before.runs, recursion, method.rows);
  const differing = relevance.withoutRenamed(found).filter(each => relevance.matters(each));
  if (differing.length === 0) return null;
  if (differing.length > MOST_TERMS)
    return left(`more than ${MOST_TERMS} of its calls are new, gone, or run more or less often`);
  const terms = differing.map(each => {
    pause();
    return termOf(each, grounds, frequencies, recursion);
  });
  const told = terms.filter(term => relevance.isTold(term));
  return told.length === 0 ? null : summed(told, method, recursion);
}

function bothVersions(
  grounds: Grounds,
  file: EditedFile,
  method: EditedMethod,
  { places, own }: { readonly places: Places } & Pick<Recursion, 'own'>,
) {
  const numbers: Numbered = new Map();
  const flowOf = (which: 'before' | 'after', written: WrittenMethod) => {
    const { text, names } = file[which];
    const flow = new Flow(readMethod(text, written), { places, numbers, names });
    grounds.pause();
    return flow;
  };
  const [then, now] = [flowOf('before', method.before), flowOf('after', method)];
  const { timed } = grounds;
  const isCalled = (row: number) => method.rows.some(each => timed.callersOf(row).has(each));
  const near = file.before.methods.flatMap(({ rows }) => rows.filter(isCalled));
  const caller = new Caller(grounds, method.rows, then.code, near, then);
  const versionOf = (which: 'before' | 'after', written: WrittenMethod, flow: Flow) => {
    const { names, ...version } = file[which];
    const reading = { places, numbers, names };
    return new VersionOfMethod(grounds, version, reading, { method: written, caller, own, flow });
  };
  const { rows } = method;
  return {
    before: versionOf('before', { ...method.before, rows }, then),
    after: versionOf('after', method, now),
  };
}

/** How often the calls of the code of a frame ran in one run of the edited method, by callee. */
function countsOf({ runs }: VersionOfMethod, frame: Run['frame'], frequencies: Frequencies): Counted[] {
  const entered = frequencies.timesOf(frame.entry);
  const { own, caller, method } = frame;
  if (own === null || entered === null) return [];
  const counted: Counted[] = [];
  const all = Map.groupBy(
    runs.filter(run => run.frame === frame),
    ({ key }) => key,
  );
  for (const calls of all.values()) {
    const { statement } = calls[0]!.call;
    const times = caller.timesARun(statement, frame.flow.code.text, { rows: method.rows, own });
    // Calls in lambdas have another caller.
    if (times === null || calls.some(({ call }) => call.isInLambda)) continue;
    const { name } = statement.call!;
    counted.push({ name, places: calls.map(({ call }) => call.place), times: times * entered });
  }
  return counted;
}

function termOf(
  { run, change, times, around, direction, outside, fresh, entered }: Difference,
  { bodies, timed }: Grounds,
  frequencies: Frequencies,
  recursion: Recursion,
): PredictedTerm {
  const { frame, call } = run;
  const { text } = frame.flow.code;
  const { callee, ...known } = frame.caller.called(call.statement, text);
  const site = call.statement.call!;
  const { cost, reason } = known.cost === null ? (bodies.of(call.statement, text) ?? known) : known;
  const shown = frame.from ?? call;
  const { root } = frame;
  const { line, nameSpan } = shown.statement.call!;
  const place =
    change === 'removed'
      ? { span: null, loops: [] }
      : {
          span: { start: nameSpan.start + root.offset, end: nameSpan.end + root.offset },
          loops: shown.loops.map(loop => {
            const told = loopOf(loop, root.offset, frequencies);
            return fresh.includes(loop) ? { ...told, times: null } : told;
          }),
        };
  const rows = frame.caller.rowsOf(call.statement, text);
  const isRecursive = typeof rows !== 'string' && recursion.leadsBack(rows);
  const scaled = times === null ? null : recursion.scaled(times);
  const behind = typeof rows !== 'string' ? timed.remoteBehind(rows) : isQueryName(site.name) ? site.name : null;
  const isRarer = times !== null && times.most <= 0;
  const query = entered.length > 0 && !isRarer ? behind : null;
  const about = { line: line + root.lines, ...place, callee, change, around, direction, outside, query };
  if (isRecursive) return { ...about, times: null, cost, reason: 'it calls the method again' };
  const why = change === 'with other values' ? 'it is given other values' : 'it is not known how often it runs';
  return { ...about, times: scaled, cost, reason: cost !== null && times === null ? why : reason };
}

function loopOf({ place, start, headerEnd, header }: LoopOfText, offset: number, frequencies: Frequencies) {
  return { start: start + offset, headerEnd: headerEnd + offset, header, times: frequencies.iterationsOf(place) };
}
