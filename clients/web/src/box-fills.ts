// The colour and the words of each box of a frame, as the page colours them now.
import { interpolateRgb } from 'd3-interpolate';
import type { MethodInfo, MethodKey, MethodState } from 'insitu/views';
import { BOX_FLAG } from 'insitu/views';
import type { Shown } from './address-state.ts';
import type { Frame } from './frame-decoder.ts';
import { fullName, packageOf, shortName } from './name-trimming.ts';
import type { PackageTints } from './package-tints.ts';
import type { Theme } from './page-types.ts';
import { belongingOf, changeColour, heatColour, packageColour, rootColour, stateColour } from './palette.ts';
import { directionMark, verdictOf } from './verdicts.ts';

const RECENT = '#ffd84d';

export type BoxFills = {
  readonly fillOf: (box: number) => string;
  /** Its code has changed since it was recorded: colour alone does not say it. */
  readonly isHatched: (box: number) => boolean;
  /** The names that may stand in a box, the longest first. */
  readonly namesOf: (box: number) => readonly string[];
};

/** How a frame is coloured. `recent` is what a box has gained lately, from 0 to 1. */
type Colouring = {
  readonly colour: Shown['colour'];
  readonly theme: Theme;
  readonly tints: PackageTints;
  /** The state of a method's code; null while it is not known. */
  readonly stateOf: (key: MethodKey) => MethodState | null;
  readonly recent: ((box: number) => number) | null;
};

export function hottest({ boxes, header }: Frame): number {
  let most = 0;
  for (const self of boxes.self) most = Math.max(most, self);
  return header.whole.weight > 0 ? most / header.whole.weight : 0;
}

/** The sign of a change against the baseline stands in the box too: colour never says it alone. */
export function markOf(frame: Frame, box: number): string {
  if (((frame.boxes.flags[box] ?? 0) & BOX_FLAG.added) !== 0) return '+ ';
  return directionMark(verdictOf(frame, box));
}

/** As in hints `~` marks code that has changed. */
function stateMark(state: MethodState | null): string {
  return state === 'changed' ? '~ ' : state === 'unknown' ? '? ' : '';
}

/** A band has the colour of the call that it leads to. */
function methodOfFill({ boxes, chains }: Frame, box: number): number {
  const last = chains?.members[box]?.at(-1);
  return (chains === null || last === undefined ? boxes.method[box] : chains.calls.boxes.method[last]) ?? -1;
}

/** Of boxes that stand for several calls: what may stand in them, the longest first. */
function* bandNames({ chains, header }: Frame): Generator<[box: number, names: string[]]> {
  for (const [box, calls] of chains?.members.entries() ?? []) {
    if (calls.length < 2) continue;
    const [first, last] = [calls[0]!, calls.at(-1)!].map(
      call => header.methods[chains!.calls.boxes.method[call] ?? -1],
    );
    if (first === undefined || last === undefined) continue;
    yield [
      box,
      [
        `${shortName(first)} → ${shortName(last)} · ${calls.length}`,
        `${first.name} → ${last.name} · ${calls.length}`,
        `→ ${last.name} · ${calls.length}`,
      ],
    ];
  }
}

export function boxFills(frame: Frame, { colour, theme, tints, stateOf, recent }: Colouring): BoxFills {
  const { boxes, header, baseline } = frame;
  const methods = header.methods;
  const packages = methods.map(method => packageColour(belongingOf(packageOf(method), method.library, tints), theme));
  const states = colour === 'staleness' ? methods.map(({ key }) => stateOf(key)) : null;
  const hot = hottest(frame);
  const root = rootColour(theme);
  const whole = header.whole.weight;
  const base = (box: number): string => {
    const method = methodOfFill(frame, box);
    if (states !== null) return method < 0 ? root : stateColour(states[method] ?? null, theme);
    if (colour === 'heat') return heatColour((boxes.self[box] ?? 0) / whole / (hot || 1));
    if (colour === 'change' && baseline !== null)
      return changeColour((boxes.weight[box] ?? 0) / whole, baseline.share[box] ?? 0, verdictOf(frame, box), theme);
    return method < 0 ? root : (packages[method] ?? root);
  };
  const names = methods.map((method: MethodInfo) => [fullName(method), shortName(method)]);
  const everything = ['everything', 'all'];
  const bands = new Map(bandNames(frame));
  return {
    fillOf: box => {
      const glow = recent?.(box) ?? 0;
      return glow > 0.02 ? interpolateRgb(base(box), RECENT)(Math.min(0.8, glow)) : base(box);
    },
    isHatched: box => states?.[boxes.method[box] ?? -1] === 'changed',
    namesOf: box => {
      const method = boxes.method[box] ?? -1;
      const words = bands.get(box) ?? (method < 0 ? everything : (names[method] ?? everything));
      const mark = colour === 'change' ? markOf(frame, box) : stateMark(states?.[method] ?? null);
      return mark === '' ? words : words.map(word => mark + word);
    },
  };
}
