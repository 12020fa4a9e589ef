// A comparison: what was found in a sentence, its findings, and both versions as flames, rings or blueprint; below both sources.
import type { Shown } from './address-state.ts';
import { blueprint, revealRow, selectedRow } from './blueprint-model.ts';
import { BlueprintBoxes } from './blueprint-view.tsx';
import { ComparedPicture } from './compared-picture.tsx';
import { data, hasBaseline, show, shown } from './page-state.ts';
import { SourcePair } from './source-pair.tsx';
import { TabList, tabId } from './tab-list.tsx';

type Form = Exclude<Shown['compared'], 'usual'>;

const NAMES: Readonly<Record<Form, string>> = { flame: 'Flames', ring: 'Rings', boxes: 'Blueprint' };
const FORM = 'compared-form';

/** Boxes where the comparison begins with a method. */
export function formShown(): Form {
  const { compared, method } = shown.value;
  return compared === 'usual' ? (method === null ? 'flame' : 'boxes') : compared;
}

export function ComparisonView() {
  if (!hasBaseline.value)
    return (
      <p class="empty">
        {data.value === null
          ? 'Loading …'
          : 'Two versions are compared here: run insitu view --compare with both, or choose a baseline in the editor.'}
      </p>
    );
  if (blueprint.value === null) return <p class="empty">Loading …</p>;
  const form = formShown();
  return (
    <section class="blueprint" aria-label="Comparison">
      <Findings />
      <Tabs form={form} />
      <div class="compared-form" id={FORM} role="tabpanel" aria-labelledby={tabId(FORM, form)}>
        {form === 'boxes' ? <BlueprintBoxes /> : <ComparedPicture isRing={form === 'ring'} />}
      </div>
      <SourcePair />
    </section>
  );
}

/** A sentence tells the only finding; several are listed too. */
function Findings() {
  const { finding } = blueprint.value?.answer ?? { finding: null };
  if (finding === null) return null;
  return (
    <>
      <p class="finding">{finding.text}</p>
      {finding.all.length < 2 ? null : (
        <ol class="findings" aria-label="Findings">
          {finding.all.map(({ text, row }) => (
            <li key={text}>
              <button
                type="button"
                class="link"
                aria-current={row === selectedRow.value ? 'true' : undefined}
                title="Select its context"
                onClick={() => void revealRow(row)}
              >
                {text}
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** The remark about the part that a picture of one version leaves out. */
const NOW = 'as it is now; what was removed is in the blueprint';

function Tabs({ form }: { readonly form: Form }) {
  return (
    <TabList
      label="How both versions are drawn"
      panel={FORM}
      texts={NAMES}
      chosen={form}
      off={null}
      choose={compared => show({ compared })}
    >
      {form === 'boxes' ? null : (
        <span class="aside" title={NOW}>
          {NOW}
        </span>
      )}
    </TabList>
  );
}
