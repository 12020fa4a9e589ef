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

/** How often a visible page asks whether there is anything new: while its data are read, beside an editor or a recorder, where nothing is recorded yet, and else. */
const AT_FIRST = 100;
const OFTEN = 250;
const FOR_A_START = 1000;
const SELDOM = 5000;
/** An editor that compares opens the page while the other version is read. */
const OPENING_MILLIS = 10_000;

/** The longest pause after failures: each in a row doubles the pause before. */
const MOST_SELDOM = 20_000;

let isStranger = false;
/** The server answered that it reads the data. */
let isServerReading = true;
/** How many questions in a row failed. */
let failures = 0;

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
    if (document.visibilityState === 'visible') {
      await askState();
      await rested(Math.max(50, pauseMillis() - (Date.now() - began)));
    } else await rested(null);
  }
}

function pauseMillis(): number {
  if (failures > 0) return Math.min(MOST_SELDOM, SELDOM * 2 ** (failures - 1));
  if (isReading()) return AT_FIRST;
  if (data.value === null) return FOR_A_START;
  return data.value.live || data.value.editor ? OFTEN : SELDOM;
}

function isReading(): boolean {
  if (data.value === null) return isServerReading;
  const { baseline, editor } = data.value;
  return shown.value.view === 'blueprint' && baseline === null && editor && performance.now() < OPENING_MILLIS;
}

async function askState(): Promise<void> {
  try {
    const known = data.value?.revision;
    const state = await ask({ ask: 'state', ...(known === undefined ? {} : { revision: known }) });
    nothingYet.value = null;
    failures = 0;
    if (!('same' in state)) {
      data.value = state;
      lastNews.value = Date.now();
      document.title = `${state.program} ${state.version} · insitu`;
    }
  } catch (error) {
    if (isAborted(error)) return;
    const problem = problemOf(error);
    isServerReading = problem.noData === 'reading';
    if (isServerReading || (problem.noData === 'nothing' && data.value === null)) {
      failures = 0;
      if (!isServerReading) nothingYet.value = problem;
      return;
    }
    // Told once, so that a person can close the message.
    if (failures === 0) failure.value = problem;
    failures++;
    if (error instanceof Refusal && error.isStranger) {
      isStranger = true;
      forgetToken();
    }
  }
}

/** Ends after some time (null: never), or as soon as a hidden page is shown. */
function rested(millis: number | null): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    const look = (): void => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = millis === null ? undefined : setTimeout(end, millis);
    document.addEventListener('visibilitychange', look);
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
