// Puts together what is drawn of a picture now: its frame, and how the page colours and marks it.
import { boxFills } from './box-fills.ts';
import { inksNow } from './inks.ts';
import { methodStateOf } from './method-states.ts';
import { tintsShown } from './package-hues.ts';
import { data, hasForcedColours, highlighted, shown, theme } from './page-state.ts';
import type { Scene } from './paint.ts';
import type { PictureModel, Shot } from './picture-model.ts';

/** The present scene of a picture; null before its first frame. */
export function sceneOf(model: PictureModel): Scene | null {
  const shot = model.shot.value;
  if (shot === null || shot.frame.header.root.total.weight === 0) return null;
  const recent = data.value?.live === true ? recentOf(model, shot) : null;
  const key = highlighted.value;
  return {
    frame: shot.frame,
    mapping: model.mapping.value,
    projection: model.projection.value,
    fills: boxFills(shot.frame, {
      colour: shown.value.colour,
      theme: theme.value,
      tints: tintsShown.value,
      stateOf: methodStateOf,
      recent,
    }),
    inks: inksNow(theme.value, hasForcedColours.value),
    selected: model.selected.value,
    hovered: model.hovered.value,
    highlighted: key === null ? -1 : shot.frame.header.methods.findIndex(method => method.key === key),
    recent,
    leadsToHit: box => model.hiddenBelow.value.has(box),
  };
}

/** The recent gain of each box, as a part of the first box's weight. */
function recentOf(model: PictureModel, { frame: { boxes } }: Shot): (box: number) => number {
  const now = performance.now();
  const most = Math.max(1e-9, model.glow.of(boxes.id[0] ?? 0, now), (boxes.weight[0] ?? 0) / 1000);
  return box => (box === 0 ? 0 : Math.min(1, (2 * model.glow.of(boxes.id[box] ?? 0, now)) / most));
}
