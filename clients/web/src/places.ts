// The way back and forth between what was shown: the browser's history, or a list of its own where an editor shows the page.
import type { EditorApi, Places } from './page-types.ts';

/** `onMove` gets the fragment that the user went back or forward to. */
export function browserPlaces(onMove: (address: string) => void): Places {
  const current = (): string => location.hash.slice(1);
  addEventListener('popstate', () => onMove(current()));
  return {
    first: current(),
    push: address => history.pushState(null, '', `#${address}`),
    replace: address => history.replaceState(null, '', `#${address}`),
    back: () => history.back(),
    forward: () => history.forward(),
  };
}

/** An editor keeps the last place for when it shows the page again. */
export function editorPlaces(editor: EditorApi, onMove: (address: string) => void): Places {
  const kept = editor.getState();
  let at = 0;
  const visited = [typeof kept === 'string' ? kept : (document.documentElement.dataset.address ?? '')];
  const keep = (): void => editor.setState(visited[at]);
  const move = (by: number): void => {
    const address = visited[at + by];
    if (address === undefined) return;
    at += by;
    keep();
    onMove(address);
  };
  return {
    first: visited[0] ?? '',
    push: address => {
      visited.splice(++at, visited.length, address);
      keep();
    },
    replace: address => {
      visited[at] = address;
      keep();
    },
    back: () => move(-1),
    forward: () => move(1),
  };
}
