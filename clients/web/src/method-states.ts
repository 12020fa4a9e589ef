// The states of the code of drawn methods, asked for while the page colours by them.
import { effect, signal } from '@preact/signals';
import type { MethodKey, MethodState } from 'insitu/views';
import { isAborted, problemOf } from './ask.ts';
import { ask, data, failure, look, shown } from './page-state.ts';
import { picturesShown } from './pictures-shown.ts';

const MOST_AT_ONCE = 500;
/** Code is edited while it is looked at: known states are asked for again, at most so often. */
const FRESH_MILLIS = 10_000;

type Known = { readonly state: MethodState; readonly at: number };

const known = signal<ReadonlyMap<MethodKey, Known>>(new Map());

/** null while it was not asked for. */
export function methodStateOf(key: MethodKey): MethodState | null {
  return known.value.get(key)?.state ?? null;
}

function drawnKeys(): MethodKey[] {
  const keys = picturesShown.value.flatMap(({ shot }) => shot.value?.frame.header.methods.map(({ key }) => key) ?? []);
  return [...new Set(keys)];
}

/** Asks for the states of methods that are not known; returns whether others are left. */
async function askSome(keys: readonly MethodKey[], signal: AbortSignal): Promise<boolean> {
  const old = Date.now() - FRESH_MILLIS;
  const before = known.peek();
  const due = keys.filter(key => (before.get(key)?.at ?? 0) <= old);
  if (due.length === 0 || document.visibilityState !== 'visible') return false;
  const { states } = await ask({ ask: 'states', look: look.peek(), of: due.slice(0, MOST_AT_ONCE) }, signal);
  const at = Date.now();
  known.value = new Map([...known.peek(), ...states.map(([key, state]) => [key, { state, at }] as const)]);
  return states.length > 0 && states.length < due.length;
}

/** While the page colours by it, until it ends. */
export function followStates(): void {
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const keys = shown.value.colour === 'staleness' && data.value !== null ? drawnKeys() : [];
    running?.abort();
    clearTimeout(timer);
    if (keys.length === 0) return;
    const mine = new AbortController();
    running = mine;
    const step = (): void => {
      askSome(keys, mine.signal).then(
        hasMore => {
          if (!mine.signal.aborted) timer = setTimeout(step, hasMore ? 0 : FRESH_MILLIS);
        },
        (error: unknown) => {
          if (!isAborted(error) && !mine.signal.aborted) failure.value = problemOf(error);
        },
      );
    };
    step();
  });
}
