// The keys of a picture that has the focus: arrows walk, Enter and Backspace move the root.
import { STEP_OF_KEY } from './box-walker.ts';
import { itemsFor, openMenu } from './menu.tsx';
import { show, shown } from './page-state.ts';
import type { Step } from './page-types.ts';
import { step, stepOut, takeAsRoot, toggleChain } from './picture-actions.ts';
import type { PictureModel } from './picture-model.ts';

/** Where callers stand above, an arrow still goes where it points. */
const UPWARDS: Readonly<Record<string, Step>> = { ...STEP_OF_KEY, ArrowUp: 'child', ArrowDown: 'parent' };

export function pictureKey(event: KeyboardEvent, model: PictureModel): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = (model.subject().upwards ? UPWARDS : STEP_OF_KEY)[event.key];
  if (direction !== undefined && event.shiftKey) pan(event.key);
  else if (direction !== undefined) step(model, direction);
  else if (event.key === 'Enter') void takeAsRoot(model, model.selected.value);
  else if (event.key === 'Backspace') stepOut();
  else if (event.key === 'x') toggleChain(model, model.selected.value);
  else if (event.key === 'ContextMenu' || event.key === 'm') menuAtCanvas(event, model);
  else if (event.key === 'PageDown' || event.key === 'PageUp') page(model, event.key === 'PageDown' ? 1 : -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function menuAtCanvas(event: KeyboardEvent, model: PictureModel): void {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  openMenu(itemsFor(model), left + 40, top + 40);
}

/** Half a screen of a picture that is taller. */
function page(model: PictureModel, by: 1 | -1): void {
  const turned = model.subject().upwards ? -by : by;
  model.top.value = Math.max(0, model.top.value + (turned * model.size.value.height) / 2);
}

/** Moves a zoomed picture by a quarter of what is visible. */
function pan(key: string): void {
  const [from, to] = shown.value.zoom;
  const by = ({ ArrowLeft: -0.25, ArrowRight: 0.25 }[key] ?? 0) * (to - from);
  const left = Math.min(1 - (to - from), Math.max(0, from + by));
  show({ zoom: [left, left + (to - from)] });
}
