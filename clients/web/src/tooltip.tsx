// The part under the pointer, in words beside it.
import type { ReadonlySignal } from '@preact/signals';
import { BOX_FLAG } from 'insitu/views';
import { samplesText, shareText, weightText } from './amount-words.ts';
import { callsOfBox, changeOfBox, describeCut, nameOfBox, ownOfBox } from './descriptions.ts';
import type { Frame } from './frame-decoder.ts';
import { namesOfHits } from './hidden-hits.ts';
import { shortName } from './name-trimming.ts';
import { data } from './page-state.ts';
import type { Pointed } from './page-types.ts';
import type { PictureModel } from './picture-model.ts';

const WIDTH = 340;

export function Tooltip({
  model,
  pointed,
}: {
  readonly model: PictureModel;
  readonly pointed: ReadonlySignal<Pointed | null>;
  readonly upwards: boolean;
}) {
  const at = pointed.value;
  const frame = model.shot.value?.frame;
  if (at === null || frame === undefined) return null;
  const { width, height } = model.size.value;
  const left = Math.max(0, Math.min(width - WIDTH, at.x + 14));
  const vertical = at.y > height / 2 ? { bottom: `${height - at.y + 14}px` } : { top: `${at.y + 18}px` };
  return (
    <div
      class="tooltip"
      style={{ left: `${left}px`, maxWidth: `${Math.min(WIDTH, width)}px`, ...vertical }}
      aria-hidden="true"
    >
      {at.box >= 0 ? (
        <>
          <BoxNumbers frame={frame} box={at.box} lately={latelyOf(model, frame, at.box)} />
          <HitsBelow model={model} box={at.box} />
        </>
      ) : (
        <p>{describeCut(frame, at.cut)}</p>
      )}
    </div>
  );
}

/** Hits of the search in rows that are not drawn. */
export function HitsBelow({ model, box }: { readonly model: PictureModel; readonly box: number }) {
  const hits = model.hiddenBelow.value.get(box);
  return hits === undefined ? null : <p>Hits below, not drawn: {namesOfHits(hits)}</p>;
}

export function latelyOf(model: PictureModel, frame: Frame, box: number): number | null {
  return data.value?.live === true ? model.glow.lately(frame.boxes.id[box] ?? 0) : null;
}

type BoxProps = { readonly frame: Frame; readonly box: number; readonly lately: number | null };

export function BoxNumbers({ frame, box, lately }: BoxProps) {
  const { boxes, header, baseline } = frame;
  const total = { weight: boxes.weight[box] ?? 0, count: boxes.count[box] ?? 0 };
  const own = ownOfBox(frame, box);
  const parent = boxes.parent[box] ?? -1;
  const flags = boxes.flags[box] ?? 0;
  return (
    <>
      <p class="name">{nameOfBox(frame, box)}</p>
      <dl>
        <dt>of all</dt>
        <dd>
          {shareText(total, header.whole)} · {samplesText(total.count)}
          {header.unit === 'samples' ? '' : ` · ${weightText(total.weight, header.unit)}`}
        </dd>
        <dt>itself</dt>
        <dd>{own.weight > 0 ? shareText(own, header.whole) : 'nothing'}</dd>
        {parent < 0 ? null : (
          <>
            <dt>of what it is in</dt>
            <dd>{shareText(total, { weight: boxes.weight[parent] ?? 0, count: 0 })}</dd>
          </>
        )}
        {lately === null ? null : (
          <>
            <dt>last 10 s</dt>
            <dd>{weightText(lately, header.unit)}</dd>
          </>
        )}
        {baseline === null ? null : (
          <>
            <dt>baseline</dt>
            <dd>{(flags & BOX_FLAG.added) !== 0 ? 'not there' : changeOfBox(frame, box)}</dd>
          </>
        )}
      </dl>
      <ChainCalls frame={frame} box={box} />
      {(flags & BOX_FLAG.folded) === 0 ? null : <p>Calls within libraries are folded into it.</p>}
    </>
  );
}

/** More would cover the picture. */
const MOST_CALLS = 8;

function ChainCalls({ frame, box }: { readonly frame: Frame; readonly box: number }) {
  const calls = callsOfBox(frame, box);
  if (calls.length < 2) return null;
  const names = calls.slice(0, MOST_CALLS).map(method => (method === null ? 'everything' : shortName(method)));
  const more = calls.length > MOST_CALLS ? [`${calls.length - MOST_CALLS} more`] : [];
  return (
    <>
      <p>A chain: {[...names, ...more].join(' → ')}</p>
      <p>A click shows its calls.</p>
    </>
  );
}
