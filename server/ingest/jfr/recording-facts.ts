// The facts that chunks tell about the JVM that wrote them and about its losses; nothing else of these events is kept.
import { isMoment } from '../../cct/limits.ts';
import { jvmIdentity } from '../../cct/profile.ts';
import type { Key } from './cursor.ts';
import { fieldOf } from './metadata.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';

/** Gathered over the chunks of a file. */
export type RecordingFacts = {
  /** For people, such as `OpenJDK 17.0.15`, in order of appearance. */
  readonly products: Set<string>;
  /** Identity of the JVM that wrote the chunk at hand, or the chunk before where this one does not tell. */
  jvm?: string;
  debugNonSafepoints: boolean | null;
  truncatedStacks: number;
  withoutStack: number;
  lostSamples: number;
  /** Samples whose stack the sampler could not walk; they count, without a stack. */
  failedSamples: number;
  /** `event.field` of weights that events do not have as a number. */
  readonly missingFields: Set<string>;
  /** Bytes of events that the recorder says it had to drop. */
  lostBytes: number;
  /** Number of events, by name, that were left out because other events of the same writer tell the same more exactly. */
  readonly superseded: Map<string, number>;
};

export function noFacts(): RecordingFacts {
  return {
    products: new Set(),
    debugNonSafepoints: null,
    truncatedStacks: 0,
    withoutStack: 0,
    lostSamples: 0,
    failedSamples: 0,
    missingFields: new Set(),
    lostBytes: 0,
    superseded: new Map(),
  };
}

const JVM_INFORMATION = 'jdk.JVMInformation';
const IDENTITY = ['jvmStartTime', 'pid'];

/** The facts in one chunk: made before its scan, added when its pools are there. */
export class ChunkFacts {
  readonly #versions: NotedEvents;
  /** Whether JVMs of that version tell when they started, and under which process id. */
  readonly #tellsJvm: boolean;
  readonly #flags: NotedEvents;
  readonly #lostSamples: NotedEvents;
  readonly #lostBytes: NotedEvents;

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    const information = context.types.event(JVM_INFORMATION);
    this.#tellsJvm = information !== undefined && IDENTITY.every(name => fieldOf(information, name) !== undefined);
    const fields = ['jvmName', 'jvmVersion', 'jvmArguments', ...(this.#tellsJvm ? IDENTITY : [])];
    this.#versions = new NotedEvents(context, noted, JVM_INFORMATION, fields);
    this.#flags = new NotedEvents(context, noted, 'jdk.BooleanFlag', ['name', 'value']);
    this.#lostSamples = new NotedEvents(context, noted, 'jdk.CPUTimeSamplesLost', ['lostSamples']);
    this.#lostBytes = new NotedEvents(context, noted, 'jdk.DataLoss', ['amount']);
  }

  addTo(facts: RecordingFacts): void {
    this.#versions.each(event => {
      if (event.text(0) !== '') facts.products.add(product(event.text(0), event.text(1)));
      const given = event.text(2).match(/-XX:([+-])DebugNonSafepoints\b/)?.[1];
      if (given !== undefined) facts.debugNonSafepoints = given === '+';
      const [startMillis, pid] = this.#tellsJvm ? [event.number(3), event.number(4)] : [0, 0];
      if (pid > 0 && startMillis > 0 && isMoment(startMillis)) facts.jvm = jvmIdentity(pid, startMillis);
    });
    const takeFlag = (event: NotedEvents) => {
      facts.debugNonSafepoints = event.flag(1);
    };
    this.#flags.each(takeFlag, event => event.is(0, 'DebugNonSafepoints'));
    this.#lostSamples.each(event => {
      facts.lostSamples += Math.max(0, event.number(0));
    });
    this.#lostBytes.each(event => {
      facts.lostBytes += Math.max(0, event.number(0));
    });
  }
}

/** `OpenJDK 64-Bit Server VM` and `… (17.0.15+6-Debian) for …` become `OpenJDK 17.0.15`. */
function product(name: string, version: string): string {
  const short = name.replace(/ (64-Bit|32-Bit|Server|Client|Zero|Minimal|VM)\b.*/, '');
  const number = version.match(/\((\d+[\d.]*)/)?.[1];
  return number === undefined ? short : `${short} ${number}`;
}
