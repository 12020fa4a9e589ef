// Leads through the pages of a long table.
import type { Signal } from '@preact/signals';
import { plural } from './amount-words.ts';

type PagerProps = {
  readonly first: Signal<number>;
  readonly length: number;
  readonly rows: number;
  readonly thing: string;
};

export function Pager({ first, length, rows, thing }: PagerProps) {
  const last = Math.min(length, first.value + rows);
  return (
    <p class="pager">
      {length <= rows ? plural(length, thing) : `${first.value + 1}–${last} of ${plural(length, thing)}`}
      {length <= rows ? null : (
        <>
          <button
            type="button"
            disabled={first.value === 0}
            onClick={() => (first.value = Math.max(0, first.value - rows))}
          >
            Previous page
          </button>
          <button type="button" disabled={last >= length} onClick={() => (first.value += rows)}>
            Next page
          </button>
        </>
      )}
    </p>
  );
}
