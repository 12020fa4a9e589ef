// The boxes of the blueprint as a table beside it: the same data to read rather than to look at.
import { signal } from '@preact/signals';
import type { BlueprintBox } from 'insitu/views';
import { useMemo } from 'preact/hooks';
import { partText } from './amount-words.ts';
import type { OpenBoxes } from './blueprint-layout.ts';
import { blueprint, selectedRow, selectRow } from './blueprint-model.ts';
import { boxLabel, boxName, growthText, KIND_WORDS, kindOf, sourceText, testText } from './blueprint-words.ts';
import { Pager } from './pager.tsx';
import { TableHead } from './table-head.tsx';

const PAGE_ROWS = 500;

export function BlueprintTable() {
  const tree = blueprint.value;
  const first = useMemo(() => signal(0), []);
  const order = useMemo(() => (tree === null ? [] : readingOrder(tree)), [tree]);
  if (tree === null) return null;
  if (first.value >= order.length) first.value = 0;
  const { counted } = tree.answer;
  return (
    <section aria-label="The boxes as a table">
      <Pager first={first} length={order.length} rows={PAGE_ROWS} thing="context" />
      <table aria-rowcount={order.length + 1}>
        <TableHead
          cells={[
            { text: 'Context' },
            { text: 'Before', isNumber: true },
            { text: 'Now', isNumber: true },
            { text: 'Change', isNumber: true },
            ...(counted ? [{ text: 'Executions', isNumber: true }] : []),
            { text: 'Kind' },
            { text: 'Source' },
            { text: 'Test' },
          ]}
        />
        <tbody>
          {order.slice(first.value, first.value + PAGE_ROWS).map(({ box, depth, shown }, at) => {
            const isSelected = box.row === selectedRow.value;
            const hidden = box.below - shown;
            return (
              <tr key={box.row} aria-rowindex={first.value + at + 2} class={isSelected ? 'selected' : ''}>
                <th scope="row" style={{ paddingLeft: `${4 + Math.min(depth, 24) * 8}px` }}>
                  <button
                    type="button"
                    class="link"
                    aria-current={isSelected ? 'true' : undefined}
                    title={boxName(box)}
                    aria-label={`${boxName(box)}, level ${depth}`}
                    onClick={() => selectRow(box.row)}
                  >
                    {boxLabel(box)}
                  </button>
                  {hidden === 0 ? null : <span class="aside"> · {hidden} hidden</span>}
                </th>
                <td class="number">{partText(box.scaled[0], 1)}</td>
                <td class="number">{partText(box.scaled[1], 1)}</td>
                <td class="number">{growthText(box)}</td>
                {counted ? (
                  <td class="number">
                    {box.executions === null ? '–' : `${box.executions.counts[0]} → ${box.executions.counts[1]}`}
                  </td>
                ) : null}
                <td>{KIND_WORDS[kindOf(box)]}</td>
                <Known text={sourceText(box)} unless="not known" />
                <Known text={testText(box)} unless="not tested" />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** A cell of a column in which many cells have the text `unless`: a dash, with its meaning when it is pointed at or heard. */
function Known({ text, unless }: { readonly text: string; readonly unless: string }) {
  return text === unless ? (
    <td title={unless} aria-label={unless}>
      –
    </td>
  ) : (
    <td>{text}</td>
  );
}

type Listed = { readonly box: BlueprintBox; readonly depth: number; readonly shown: number };

/** Each box before its callees; boxes of folded runs too. */
function readingOrder({ boxes, open }: OpenBoxes): Listed[] {
  const order: Listed[] = [];
  const waiting: { readonly row: number; readonly depth: number }[] = [{ row: 0, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { row, depth } = next;
    const box = boxes.get(row);
    if (box === undefined) continue;
    const below = open.get(row) ?? [];
    order.push({ box, depth, shown: below.length });
    waiting.push(...below.toReversed().map(each => ({ row: each, depth: depth + 1 })));
  }
  return order;
}
