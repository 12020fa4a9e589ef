// The way from everything to the root of the picture; each step leads back.
import { plural, samplesText, shareText, weightText } from './amount-words.ts';
import { knownMethod } from './known-methods.ts';
import { shortName } from './name-trimming.ts';
import { show, shown } from './page-state.ts';
import { activePicture, rootSteps } from './pictures-shown.ts';
import { viewNamed } from './views.ts';

/** Of a longer way only both ends are shown. */
const MOST_STEPS = 12;

export function Breadcrumb() {
  const { of, view } = shown.value;
  const root = rootSteps.value;
  if (viewNamed(view).of !== 'root') return null;
  const header = activePicture.value?.shot.value?.frame.header;
  const left = Math.max(0, root.length - MOST_STEPS);
  return (
    <nav class="breadcrumb" aria-label="Root of the picture">
      <button
        type="button"
        class="link"
        disabled={root.length === 0 && of === null}
        onClick={() => show({ root: [], of: null, zoom: [0, 1] })}
      >
        everything
      </button>
      {of === null ? null : (
        <Crumb
          text={`all calls of ${nameOf(of)}`}
          isLast={root.length === 0}
          onClick={() => show({ root: [], zoom: [0, 1] })}
        />
      )}
      {left > 0 ? <span> › … {root[0]?.startsWith('@') === true ? 'many' : left} more</span> : null}
      {root.slice(left).map((key, at) => (
        <Crumb
          key={`${left + at} ${key}`}
          text={nameOf(key)}
          isLast={left + at === root.length - 1}
          onClick={() => show({ root: root.slice(0, left + at + 1), zoom: [0, 1] })}
        />
      ))}
      {header === undefined ? null : (
        <span class="aside" title={`100 % are ${samplesText(header.whole.count)}`}>
          {shareText(header.root.total, header.whole)} of {weightText(header.whole.weight, header.unit)}
          {header.root.missing === null
            ? ''
            : ` · the last ${plural(header.root.missing, 'step')} of the way no longer exist: the nearest caller is shown`}
        </span>
      )}
    </nav>
  );
}

function nameOf(key: string): string {
  const method = knownMethod(key);
  return method === null ? '(a method)' : shortName(method);
}

type CrumbProps = { readonly text: string; readonly isLast: boolean; readonly onClick: () => void };

function Crumb({ text, isLast, onClick }: CrumbProps) {
  return (
    <>
      <span aria-hidden="true"> › </span>
      <button type="button" class="link" aria-current={isLast ? 'location' : undefined} onClick={onClick}>
        {text}
      </button>
    </>
  );
}
