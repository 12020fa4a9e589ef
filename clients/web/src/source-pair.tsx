// The source of the selected box in both versions, side by side; changed lines are marked.
import type { Answers } from 'insitu/views';
import { useNamedAnswer } from './answers.ts';
import { blueprint, boxAt, selectedRow } from './blueprint-model.ts';
import { shownName } from './name-trimming.ts';
import { look } from './page-state.ts';

type Sources = Answers['comparedSource'];
type SourceSide = Sources['now'];

export function SourcePair() {
  const answer = useNamedAnswer('comparedSource', () => {
    const of = blueprint.value === null ? undefined : boxAt(selectedRow.value)?.method?.key;
    return of === undefined ? null : { look: look.value, of, more: { limit: undefined } };
  });
  const method = boxAt(selectedRow.value)?.method ?? null;
  // Until the selected method's is there, no other one is shown.
  const found = answer.value?.id === method?.key ? answer.value : null;
  return (
    <section class="source-pair" aria-label="Source of both versions">
      {found === null ? (
        <p class="empty">{method === null ? 'Select a box to see its source.' : 'Loading …'}</p>
      ) : (
        <Pairs found={found} />
      )}
    </section>
  );
}

function Pairs({ found }: { readonly found: Sources }) {
  const { before, now, pairs } = found;
  const indent = Math.min(indentOf(before), indentOf(now));
  return (
    <table class="pair">
      <colgroup>
        <col class="place" />
        <col />
        <col class="place" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <Head name="Before" side={before} />
          <Head name="Now" side={now} />
        </tr>
      </thead>
      <tbody>
        {pairs.map(pair => (
          <tr key={`${pair.before} ${pair.now}`} class={pair.same ? '' : 'changed'}>
            <Line side={before} at={pair.before} mark={pair.same ? '' : '−'} indent={indent} />
            <Line side={now} at={pair.now} mark={pair.same ? '' : '+'} indent={indent} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function indentOf(side: SourceSide): number {
  return side.lines
    .filter(line => line.trim() !== '')
    .reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Number.POSITIVE_INFINITY);
}

function Head({ name, side }: { readonly name: string; readonly side: SourceSide }) {
  return (
    <th scope="col" colSpan={2}>
      {name}:{' '}
      {side.missing === null
        ? `${shownName(side.file ?? '')}, ${shownName(side.version)}`
        : `${side.missing.message} (${side.missing.remedy})`}
    </th>
  );
}

type LineProps = {
  readonly side: SourceSide;
  readonly at: number | null;
  readonly mark: string;
  /** Characters in front of all lines. */
  readonly indent: number;
};

function Line({ side, at, mark, indent }: LineProps) {
  if (at === null)
    return (
      <>
        <td class="number" />
        <td class="none" />
      </>
    );
  return (
    <>
      <td class="number aside">
        {mark} {side.firstLine + at}
      </td>
      <td>
        <code>{side.lines[at]?.slice(indent)}</code>
      </td>
    </>
  );
}
