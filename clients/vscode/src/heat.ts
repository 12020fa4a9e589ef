// Turns shares into the five steps of heat, by the scale that the user wants.

/** From cold to hot. */
export type HeatLevel = 1 | 2 | 3 | 4 | 5;
export const HEAT_LEVELS: readonly HeatLevel[] = [1, 2, 3, 4, 5];

export const HEAT_SCALES = ['root', 'linear', 'log', 'quantile'] as const;
export type HeatScale = (typeof HEAT_SCALES)[number];

/** The smallest share that the logarithmic scale tells from nothing; hints begin there. */
const SMALLEST = 0.001;

/** Where a share stands on each scale, 0 to 1. */
const place: Readonly<Record<Exclude<HeatScale, 'quantile'>, (share: number) => number>> = {
  // Squares: the many small shares are told apart; 4, 16, 36 and 64 percent begin a new step.
  root: Math.sqrt,
  linear: share => share,
  log: share => (share <= SMALLEST ? 0 : 1 - Math.log(share) / Math.log(SMALLEST)),
};

/** A number outside 0 to 1 becomes the nearest of the two; NaN becomes 0. */
function bounded(share: number): number {
  return Number.isNaN(share) ? 0 : Math.min(Math.max(share, 0), 1);
}

/** The step of a share. By quantile it depends on the others that are shown with it: the hottest fifth has step 5. */
export function heatLevel(share: number, scale: HeatScale, all: readonly number[] = []): HeatLevel {
  const own = bounded(share);
  if (scale === 'quantile' && all.length > 0) {
    const notHotter = all.filter(other => bounded(other) <= own).length;
    return levelAt(Math.max(Math.ceil((HEAT_LEVELS.length * notHotter) / all.length), 1));
  }
  const along = place[scale === 'quantile' ? 'root' : scale](own);
  return levelAt(Math.min(Math.floor(along * HEAT_LEVELS.length) + 1, HEAT_LEVELS.length));
}

function levelAt(step: number): HeatLevel {
  return HEAT_LEVELS[step - 1] ?? 1;
}
