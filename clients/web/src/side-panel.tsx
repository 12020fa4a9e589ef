// The panel beside a view: the same data as a table, what is known of the selected part, and its source. A list of hits takes its place.
import { computed, signal } from '@preact/signals';
import { BoxDetails } from './box-details.tsx';
import {
  hasBaseline,
  hasHits,
  hasTable,
  methodShown,
  type PanelTab,
  panelTab,
  selectedMethod,
  shown,
} from './page-state.ts';
import { PartsTable } from './parts-table.tsx';
import { HitList } from './search-box.tsx';
import { MethodSource } from './source-view.tsx';
import { TabList, tabId } from './tab-list.tsx';
import { VanishedList } from './vanished-list.tsx';
import { viewNamed } from './views.ts';

const USUAL_WIDTH = 380;
const LEAST_WIDTH = 260;
const KEY_STEP = 20;

const CONTENT = 'panel-content';
const TAB_NAMES: Readonly<Record<PanelTab, string>> = {
  data: 'Data',
  details: 'Details',
  source: 'Source',
};

/** In pixels, where the panel stands beside the view. */
const width = signal(USUAL_WIDTH);
const methodSelected = computed(() => selectedMethod.value?.key ?? methodShown.value);

function widen(to: number): void {
  width.value = Math.round(Math.max(LEAST_WIDTH, Math.min(innerWidth * 0.6, to)));
}

export function SidePanel() {
  const { view, vanished } = shown.value;
  const { bar, picture } = viewNamed(view);
  const hasVanished = vanished && hasBaseline.value && picture !== null;
  const hasList = hasHits.value || hasVanished;
  // The blueprint has tables and pictures of its own beside its boxes.
  if (!hasList && !(hasTable.value && bar.includes('panel') && view !== 'blueprint')) return null;
  return (
    <aside class="panel" aria-label="Side panel" style={{ '--panel': `${width.value}px` }}>
      <Edge />
      {hasHits.value ? <HitList /> : hasVanished ? <VanishedList /> : <Tabs hasData={picture !== null} />}
    </aside>
  );
}

/** Dragging it, or arrow keys, make the panel wider. */
function Edge() {
  return (
    <hr
      class="edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width.value}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={Math.round(innerWidth * 0.6)}
      onKeyDown={event => {
        const by = { ArrowLeft: KEY_STEP, ArrowRight: -KEY_STEP }[event.key];
        if (by === undefined) return;
        widen(width.value + by);
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        const right = currentTarget.parentElement?.getBoundingClientRect().right ?? innerWidth;
        if (currentTarget.hasPointerCapture(pointerId)) widen(right - clientX);
      }}
      onDblClick={() => widen(USUAL_WIDTH)}
    />
  );
}

/** A view that is a table itself has no second one. */
function Tabs({ hasData }: { readonly hasData: boolean }) {
  const tab = panelTab.value === 'data' && !hasData ? 'details' : panelTab.value;
  return (
    <>
      <TabList
        label="Side panel"
        panel={CONTENT}
        texts={TAB_NAMES}
        chosen={tab}
        off={hasData ? null : 'data'}
        choose={name => (panelTab.value = name)}
      >
        <button type="button" class="quiet" aria-label="Close the panel" onClick={() => (hasTable.value = false)}>
          ✕
        </button>
      </TabList>
      <div class="content" id={CONTENT} role="tabpanel" aria-labelledby={tabId(CONTENT, tab)}>
        {tab === 'data' ? <PartsTable /> : tab === 'details' ? <BoxDetails /> : <SelectedSource />}
      </div>
    </>
  );
}

function SelectedSource() {
  if (methodSelected.value === null) return <p class="empty">Select a method, and its source stands here.</p>;
  return <MethodSource of={methodSelected} />;
}
