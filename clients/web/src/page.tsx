// Starts the page: finds out how to ask, shows what the address says, and follows the data while the page is visible.
import { type ComponentChild, render } from 'preact';
import { type Ask, isAborted, problemOf, Refusal } from './ask.ts';
import { askOverHttp } from './ask-over-http.ts';
import { askOverMessages, saveOverMessages } from './ask-over-messages.ts';
import { followBlueprint } from './blueprint-model.ts';
import { followStates } from './method-states.ts';
import { runBy } from './nothing-yet.tsx';
import { listenToKeys } from './page-keys.ts';
import { ask, begin, data, failure, followLooks, lastNews, nothingYet, showAddress, shown } from './page-state.ts';
import { browserPlaces, editorPlaces } from './places.ts';
import { saveBy } from './save-files.ts';
import { followSearch } from './search-box.tsx';
import { findToken, forgetToken, takeCode } from './session-token.ts';
import { followStrip } from './strip.tsx';
import { followVanished } from './vanished-list.tsx';
import { Page } from './whole-page.tsx';

/** How often a visible page asks whether there is anything new: while its data are read, beside an editor or a recorder, and else. */
const AT_FIRST = 100;
const OFTEN = 250;
const SELDOM = 5000;
/** An editor that compares opens the page while the other version is read. */
const OPENING_MILLIS = 10_000;

let isStranger = false;

function start(asks: Ask, places: ReturnType<typeof browserPlaces>, at: HTMLElement): void {
  begin(asks, places);
  followLooks();
  listenToKeys();
  followSearch();
  followStrip();
  followStates();
  followVanished();
  followBlueprint();
  replace(at, <Page />);
  void follow();
}

/** In place of the frame that stands in the document until there is a page. */
function replace(at: HTMLElement, page: ComponentChild): void {
  at.replaceChildren();
  render(page, at);
}

/** Asks for the state, one question at a time, none while the page is hidden. */
async function follow(): Promise<void> {
  // A page that the server does not know any more has to be opened anew.
  while (!isStranger) {
    const began = Date.now();
    if (document.visibilityState === 'visible') await askState();
    const pause = isReading() ? AT_FIRST : data.value?.live || data.value?.editor ? OFTEN : SELDOM;
    await Promise.race([passed(Math.max(50, pause - (Date.now() - began))), becameVisible()]);
  }
}

function isReading(): boolean {
  if (data.value === null) return true;
  const { baseline, editor } = data.value;
  return shown.value.view === 'blueprint' && baseline === null && editor && performance.now() < OPENING_MILLIS;
}

async function askState(): Promise<void> {
  try {
    const known = data.value?.revision;
    const state = await ask({ ask: 'state', ...(known === undefined ? {} : { revision: known }) });
    nothingYet.value = null;
    if (!('same' in state)) {
      data.value = state;
      lastNews.value = Date.now();
      document.title = `${state.program} ${state.version} · insitu`;
    }
  } catch (error) {
    if (isAborted(error)) return;
    const problem = problemOf(error);
    if (problem.noData === 'reading') return;
    if (problem.noData === 'nothing' && data.value === null) nothingYet.value = problem;
    else failure.value = problem;
    if (error instanceof Refusal && error.isStranger) {
      isStranger = true;
      forgetToken();
    }
  }
}

function passed(millis: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, millis));
}

function becameVisible(): Promise<void> {
  return new Promise(resolve => {
    if (document.visibilityState === 'visible') return;
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}

/** Without a token nothing can be asked: says how the page is opened. */
function Stranger({ reason }: { readonly reason: string | null }) {
  return (
    <section class="stranger">
      <h1>insitu</h1>
      <p>{reason ?? 'This address alone opens nothing: the page needs a key that its editor or terminal gives it.'}</p>
      <p>
        Open it by the editor’s command <strong>insitu: Show Picture</strong>, or in a terminal:
      </p>
      <pre>insitu view</pre>
    </section>
  );
}

async function main(at: HTMLElement): Promise<void> {
  const editor = globalThis.acquireVsCodeApi?.();
  if (editor !== undefined) {
    saveBy(saveOverMessages(editor));
    runBy(command => editor.postMessage({ kind: 'run', command }));
    return start(askOverMessages(editor, showAddress), editorPlaces(editor, showAddress), at);
  }
  const code = takeCode();
  let reason: string | null = null;
  const token = await findToken(code).catch((error: unknown) => {
    reason = error instanceof Refusal ? `${error.message} ${error.remedy}` : null;
    return null;
  });
  followLooks();
  if (token === null) replace(at, <Stranger reason={reason} />);
  else start(askOverHttp(token), browserPlaces(showAddress), at);
}

void main(document.getElementById('page') ?? document.body);
