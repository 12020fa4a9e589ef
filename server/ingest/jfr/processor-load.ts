// How much processor time the JVM of a chunk took: samples alone do not tell, since on a busy machine they come late or see threads that wait.

import type { ProfileBuilder } from '../../cct/builder.ts';
import { addProcessorLoad } from '../../cct/processor-load.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Key } from './cursor.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';
import type { ChunkWindows } from './windows.ts';

/** The facts about the machine that one chunk tells for the chunks behind it. */
export type LoadMachine = {
  /** Loads are parts of all processors of the machine, also in a container; null until an event tells how many there are. */
  hardwareThreads: number | null;
};

/** The events of one chunk that tell the load. Made before the scan. */
export class ChunkProcessorLoad {
  readonly #loads: NotedEvents;
  readonly #processors: NotedEvents;
  /** The load up to these ticks was imported before. */
  #from = 0;

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    this.#loads = new NotedEvents(context, noted, 'jdk.CPULoad', ['startTime', 'jvmUser', 'jvmSystem', 'machineTotal']);
    this.#processors = new NotedEvents(context, noted, 'jdk.CPUInformation', ['hwThreads']);
  }

  leaveOut(untilTicks: number): void {
    this.#from = untilTicks;
  }

  /**
   * An event tells the load since the one before it. The first one goes back to the chunk's begin, the last one on to its end. The very
   * first event of a JVM has nothing before it, and tells a machine without any load: the next event stands for its time too.
   */
  fold(
    { builder, loadMachine }: { readonly builder: ProfileBuilder; readonly loadMachine: LoadMachine },
    { startTicks, ticksPerSecond }: ChunkHeader,
    windows: ChunkWindows,
    lastTicks: number,
  ): void {
    this.#processors.each(event => {
      if (event.number(0) > 0) loadMachine.hardwareThreads = event.number(0);
    });
    const threads = loadMachine.hardwareThreads;
    if (threads === null) return;
    const loads: { readonly ticks: number; readonly load: number }[] = [];
    this.#loads.each(event => {
      const load = event.float(1) + event.float(2);
      const isMeasured = load > 0 || event.float(3) > 0;
      if (isMeasured && load >= 0 && load <= 2) loads.push({ ticks: event.number(0), load });
    });
    loads.sort((a, b) => a.ticks - b.ticks);
    let from = Math.max(startTicks, this.#from);
    for (const [at, { ticks, load }] of loads.entries()) {
      const until = at === loads.length - 1 ? Math.max(ticks, lastTicks) : ticks;
      while (from < until) {
        const end = Math.min(until, windows.endOf(from));
        // Ticks beyond 2^53, which no clock has, may not grow by one.
        if (!(end > from)) return;
        addProcessorLoad(builder, windows.at(from), (load * threads * (end - from) * 1e9) / ticksPerSecond);
        from = end;
      }
    }
  }
}
