// The whole page: two bars, the strip of time, the view that is chosen, the panel beside it, what is selected, and the legend.
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ActionList } from './action-list.tsx';
import { AspectsLegend, AspectsView } from './aspects-view.tsx';
import { BlueprintLegend } from './blueprint-legend.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { Header } from './header.tsx';
import { Legend as PictureLegend, TracksLegend } from './legend.tsx';
import { Menu } from './menu.tsx';
import { MethodTable } from './method-table.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { OverviewView } from './overview-view.tsx';
import { KEYS } from './page-keys.ts';
import { data, failure, hasKeys, isNarrow, nothingYet, said, shown } from './page-state.ts';
import { PathsView } from './paths-view.tsx';
import { Picture } from './picture.tsx';
import type { Subject } from './picture-model.ts';
import { SandwichView } from './sandwich-view.tsx';
import { SidePanel } from './side-panel.tsx';
import { SourceView } from './source-view.tsx';
import { Strip } from './strip.tsx';
import { ThreadsView } from './threads-view.tsx';
import { TimelineView } from './timeline-view.tsx';
import { Toolbar } from './toolbar.tsx';
import { ColourChooser, ViewBar } from './view-bar.tsx';
import { type View, viewNamed } from './views.ts';

type Parts = { readonly Main: ComponentType; readonly Legend?: ComponentType };

/** The components that draw each view. The table of views has the rest: components need the state, and the state the names of views. */
const PARTS: Readonly<Record<View, Parts>> = {
  overview: { Main: OverviewView },
  ring: { Main: TreePicture, Legend: PictureLegend },
  flame: { Main: TreePicture, Legend: PictureLegend },
  sandwich: { Main: SandwichView, Legend: PictureLegend },
  table: { Main: MethodTable },
  threads: { Main: ThreadsView },
  timeline: { Main: TimelineView, Legend: TracksLegend },
  source: { Main: SourceView },
  blueprint: { Main: ComparisonView, Legend: BlueprintLegend },
  paths: { Main: PathsView },
  aspects: { Main: AspectsView, Legend: AspectsLegend },
};

export function Page() {
  const { view } = shown.value;
  const isPicture = viewNamed(view).picture !== null;
  const { Main, Legend } = PARTS[view];
  if (data.value === null && nothingYet.value !== null) return <NothingYet problem={nothingYet.value} />;
  return (
    <>
      <Header />
      <Toolbar />
      <Strip />
      <Failure />
      <main>
        <div class="stage">
          <ViewBar />
          <Main key={view} />
        </div>
        <SidePanel />
      </main>
      <footer>
        <p role="status" aria-live="polite" class="status" title={said.value}>
          {said.value}
        </p>
        {Legend === undefined ? null : (
          <div class="legend-line">
            {isPicture && !isNarrow.value ? <ColourChooser /> : null}
            <Legend />
          </div>
        )}
      </footer>
      <Menu />
      <KeyList />
      <ActionList />
    </>
  );
}

/** The calls below the root, in the projection of the view. */
function TreePicture() {
  const isRing = viewNamed(shown.value.view).picture === 'ring';
  return <Picture name={isRing ? 'Ring chart' : 'Flame graph'} subject={subjectShown(isRing)} isMain={true} />;
}

function subjectShown(isRing: boolean): () => Subject {
  return () => {
    const { direction, of, root, form, zoom } = shown.value;
    return { direction, of, root, form, zoom, isRing, upwards: false };
  };
}

function Failure() {
  const problem = failure.value;
  if (problem === null) return null;
  return (
    <p class="failure" role="alert">
      {problem.message} {problem.remedy}
      <button type="button" aria-label="Close the message" onClick={() => (failure.value = null)}>
        ✕
      </button>
    </p>
  );
}

function KeyList() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = hasKeys.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={() => (hasKeys.value = false)}>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (hasKeys.value = false)}>
        Close
      </button>
    </dialog>
  );
}
