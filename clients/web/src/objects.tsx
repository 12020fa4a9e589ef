// The objects that the selected method allocates, throws and waits for, by class, with the threads that had the objects before.
import { useNamedAnswer } from './answers.ts';
import { shownName } from './name-trimming.ts';
import { look, selectedMethod } from './page-state.ts';

const FEW_CLASSES = 5;

/** Nothing where the recording does not tell classes. */
export function SelectedObjects() {
  const answer = useNamedAnswer('objects', () => {
    const method = selectedMethod.value;
    return method === null ? null : { look: look.value, of: method.key, more: { limit: FEW_CLASSES } };
  });
  return (
    <>
      {(answer.value?.metrics ?? []).map(({ metric, title, amount, rows, leftOut }) => (
        <section key={metric} aria-label={title}>
          <h2>
            {title} · {amount}
          </h2>
          <ol class="way">
            {rows.map(({ className, text, share }) => (
              <li key={className}>
                <span>{shownName(text)}</span>
                <span class="number">{share}</span>
              </li>
            ))}
          </ol>
          {leftOut > 0 ? <p class="aside">and {leftOut} more</p> : null}
        </section>
      ))}
    </>
  );
}
