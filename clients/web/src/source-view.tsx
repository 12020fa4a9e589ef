// The text of a method as it was profiled, with the share of each line.
import type { ReadonlySignal } from '@preact/signals';
import type { Answers, MethodKey } from 'insitu/views';
import { percentText, shareText } from './amount-words.ts';
import { amountsOf, useNamedAnswer } from './answers.ts';
import { knownMethod } from './known-methods.ts';
import { fullName, shownName } from './name-trimming.ts';
import { NoMethod } from './no-method.tsx';
import { Waiting } from './nothing-yet.tsx';
import { data, look, methodShown } from './page-state.ts';
import { heatColour, textColour } from './palette.ts';
import { openSource } from './picture-actions.ts';
import { TableHead } from './table-head.tsx';

export function SourceView() {
  return methodShown.value === null ? <NoMethod /> : <MethodSource of={methodShown} />;
}

/** The text of a method; nothing without one. */
export function MethodSource({ of }: { readonly of: ReadonlySignal<MethodKey | null> }) {
  const answer = useNamedAnswer('methodSource', () => (of.value === null ? null : { look: look.value, of: of.value }));
  const found = answer.value;
  if (of.value === null) return null;
  if (found === null) return <Waiting />;
  const method = knownMethod(of.value);
  if (found.missing !== null)
    return (
      <p class="empty">
        {found.missing.message} {found.missing.remedy}
      </p>
    );
  return (
    <section class="sheet" aria-label="Source">
      <p>
        <strong>{method === null ? '' : fullName(method)}</strong> in {shownName(found.file ?? '')}, version{' '}
        {shownName(found.version)}
        {found.changed ? ' · the code on screen is another one now' : ''}{' '}
        {data.value?.editor === true ? (
          <button type="button" onClick={() => void openSource()}>
            Open in the editor
          </button>
        ) : null}
      </p>
      <SourceLines rows={found.rows} />
    </section>
  );
}

function SourceLines({ rows }: Pick<Answers['methodSource'], 'rows'>) {
  const most = rows.reduce((value, { total }) => Math.max(value, total.share), 0);
  return (
    <table class="source">
      <TableHead
        cells={[
          { text: 'Line', isNumber: true },
          { text: 'Total', isNumber: true },
          { text: 'Self', isNumber: true },
          { text: 'Text' },
        ]}
      />
      <tbody>
        {rows.map(({ line, text, total: ofLine, self: ownShare }) => {
          const [{ part: total, whole }, { part: self }] = [amountsOf(ofLine), amountsOf(ownShare)];
          // One sample says nothing about a line.
          const heat = total.count > 1 ? heatColour(total.weight / most) : null;
          return (
            <tr key={line}>
              <td class="number aside">{line}</td>
              <td class="number" style={heat === null ? {} : { background: heat, color: textColour(heat) }}>
                {total.weight > 0 ? shareText(total, whole) : ''}
              </td>
              <td class="number">{self.weight > 0 ? (percentText(self.weight, 1) ?? shareText(self, whole)) : ''}</td>
              <td>
                <code>{text}</code>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
