// The names of frames that stand for kinds of garbage collections, for which all threads stand still.

/** The begin of a frame's name, before the kind. */
const FRAME = 'pause ';

/** The name of the frame, without a class, below the root: the collector and what it collected for. */
export function pauseFrame(collector: string, cause: string): string {
  return `${FRAME}${[collector, cause].filter(text => text !== '').join(', ') || 'of unknown cause'}`;
}

/** `G1New, G1 Evacuation Pause` of a frame of `pauseFrame`; null for other frames. */
export function pauseOf(frameClass: string, method: string): string | null {
  return frameClass === '' && method.startsWith(FRAME) ? method.slice(FRAME.length) : null;
}
