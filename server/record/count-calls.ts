// Counts and times the calls of named methods in a running JVM for a while, beside whatever else it records. The JVM ends that by itself.
import type { Outcome, Problem } from '../base/problem.ts';
import type { Ingested } from '../ingest/ingest.ts';
import { diagnose } from './attach.ts';
import { beginUnread, labelOf, recordBriefly, untilOver } from './brief-recording.ts';
import { ageFlaw, askVersion, isIn, NAMES, prepareDepth } from './flight-recording.ts';
import { timeSettings } from './flight-settings.ts';
import type { Jvm } from './jvms.ts';

type CountWish = {
  /** Classes and methods of them, `com.acme.Shop::search`; each stands for all its overloads. */
  readonly methods: readonly string[];
  /** Whether each call is recorded with its caller; else sums of each method alone. */
  readonly isTraced: boolean;
  readonly millis: number;
};

/** The counted calls; `followed` where another recorder follows the JVM and stores them. */
type Counted = Ingested | 'followed';

/**
 * Counts until the time is over, the JVM has ended, or `signal` aborts; what was counted by then is read in all cases.
 * @param begun is called when the JVM counts.
 */
export async function countCalls(
  jvm: Jvm,
  { methods, isTraced, millis }: CountWish,
  begun: () => void,
  signal: AbortSignal,
): Promise<Outcome<Counted | null>> {
  const problems: Problem[] = [];
  const run = async (command: string): Promise<string | null> => {
    const { value, problems: own } = await diagnose(jvm, command);
    problems.push(...own);
    return value;
  };
  const settings = timeSettings(isTraced ? { traced: methods } : { summed: methods });
  const tooOld = ageFlaw(jvm, await askVersion(jvm), settings.oldestJdk);
  if (tooOld !== null) return { value: null, problems: [tooOld] };
  if (!(await prepareDepth(jvm, settings.depth, run))) return { value: null, problems };
  const running = await run('JFR.check');
  if (running === null) return { value: null, problems };
  if (isIn(running, NAMES.counting)) return { value: null, problems: [countsAlready(jvm)] };
  const wish = { name: NAMES.counting, settings, millis };
  if (!isIn(running, NAMES.followed)) return await recordBriefly(jvm, wish, begun, signal);
  const { value, problems: refusals } = await beginUnread(jvm, wish);
  if (value === null) return { value, problems: refusals };
  begun();
  await untilOver(jvm, wish, signal);
  return { value: 'followed', problems: [] };
}

function countsAlready(jvm: Jvm): Problem {
  const remedy = 'wait until that is over';
  return { severity: 'error', message: 'calls are being counted in it already', file: labelOf(jvm), remedy };
}
