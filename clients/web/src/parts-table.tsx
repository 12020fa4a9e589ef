// The parts of a picture as a table beside it: the same data to read rather than to look at, 500 rows at a time.
import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { amountText, percentText, weightText } from './amount-words.ts';
import { markOf } from './box-fills.ts';
import { describeCut, describeSums, nameOfBox, ownOfBox, shortNameOfBox } from './descriptions.ts';
import type { Frame } from './frame-decoder.ts';
import { data, shown } from './page-state.ts';
import { Pager } from './pager.tsx';
import { selectBox } from './picture-actions.ts';
import type { PictureModel, Shot } from './picture-model.ts';
import { activePicture } from './pictures-shown.ts';
import { TableHead } from './table-head.tsx';

export const PAGE_ROWS = 500;

/** Boxes as they are read: each one before its children, siblings from left to right. */
function readingOrder({ boxes }: Frame): Int32Array {
  return Int32Array.from(boxes.row.keys()).sort(
    (a, b) => (boxes.start[a] ?? 0) - (boxes.start[b] ?? 0) || (boxes.row[a] ?? 0) - (boxes.row[b] ?? 0),
  );
}

export function PartsTable() {
  const model = activePicture.value;
  const shot = model?.shot.value;
  const first = useMemo(() => signal(0), []);
  if (model === null || shot === undefined || shot === null) return null;
  const length = shot.frame.boxes.id.length;
  if (first.value >= length) first.value = 0;
  return (
    <section class="beside" aria-label="The parts of the picture as a table">
      <p class="aside">
        {describeSums(shot.frame)} = the root’s samples.{' '}
        {shot.frame.header.coarser > 1 ? 'Coarser than usual: there are too many parts.' : ''}
      </p>
      <Pager first={first} length={length} rows={PAGE_ROWS} thing="part" />
      <Rows model={model} shot={shot} first={first.value} />
    </section>
  );
}

function Rows({ model, shot, first }: { readonly model: PictureModel; readonly shot: Shot; readonly first: number }) {
  const { frame } = shot;
  const order = useMemo(() => readingOrder(frame), [frame]);
  const isLive = data.value?.live === true;
  const selected = model.selected.value;
  return (
    <table aria-rowcount={order.length + 1}>
      <TableHead
        cells={[
          { text: 'Part' },
          { text: 'Total', isNumber: true },
          { text: 'Self', isNumber: true },
          ...(isLive ? [{ text: 'Last 10 s', isNumber: true }] : []),
          ...(frame.baseline === null ? [] : [{ text: 'Before', isNumber: true }]),
        ]}
      />
      <tbody>
        {[...order.subarray(first, first + PAGE_ROWS)].map((box, at) => (
          <Row
            key={frame.boxes.id[box]}
            model={model}
            frame={frame}
            box={box}
            index={first + at + 2}
            isSelected={box === selected}
            isLive={isLive}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = {
  readonly model: PictureModel;
  readonly frame: Frame;
  readonly box: number;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isLive: boolean;
};

function Row({ model, frame, box, index, isSelected, isLive }: RowProps) {
  const { boxes, header, cutOf, baseline } = frame;
  const { amounts } = shown.value;
  const total = { weight: boxes.weight[box] ?? 0, count: boxes.count[box] ?? 0 };
  const own = ownOfBox(frame, box);
  const cut = cutOf[box] ?? -1;
  const level = boxes.row[box] ?? 0;
  return (
    <tr aria-rowindex={index} class={isSelected ? 'selected' : ''}>
      <th scope="row" style={{ paddingLeft: `${indentOf(level)}px` }}>
        <button
          type="button"
          class="link"
          aria-current={isSelected ? 'true' : undefined}
          title={nameOfBox(frame, box)}
          aria-label={`${nameOfBox(frame, box)}, level ${level}`}
          onClick={() => selectBox(model, box)}
        >
          {markOf(frame, box)}
          {shortNameOfBox(frame, box)}
        </button>
        {cut < 0 ? null : <span class="aside"> · {describeCut(frame, cut)}</span>}
      </th>
      <td class="number">{amountText(total, header.whole, header.unit, amounts)}</td>
      <td class="number">{own.weight === 0 ? '–' : amountText(own, header.whole, header.unit, amounts)}</td>
      {isLive ? <td class="number">{latelyText(model.glow.lately(boxes.id[box] ?? 0), header.unit)}</td> : null}
      {baseline === null ? null : <td class="number">{percentText(baseline.share[box] ?? 0, 1) ?? '–'}</td>}
    </tr>
  );
}

/** Deep rows keep room for their names. */
function indentOf(level: number): number {
  return 4 + 6 * Math.min(level, 10) + Math.min(24, Math.max(0, level - 10));
}

function latelyText(weight: number, unit: string): string {
  return weight === 0 ? '–' : weightText(weight, unit);
}
