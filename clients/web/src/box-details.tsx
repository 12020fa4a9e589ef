// The details of the selected part: its numbers, its actions, and the way that leads to it.
import type { MethodInfo } from 'insitu/views';
import { partText } from './amount-words.ts';
import { pathOf } from './box-walker.ts';
import { nameOfBox, shortNameOfBox } from './descriptions.ts';
import { cellName, nameWithParameters } from './name-trimming.ts';
import { SelectedObjects } from './objects.tsx';
import { selectedMethod, show } from './page-state.ts';
import { openSource, selectBox, takeAsRoot, toggleHighlight, useAsFocus } from './picture-actions.ts';
import type { PictureModel } from './picture-model.ts';
import { activePicture } from './pictures-shown.ts';
import { BoxNumbers, latelyOf } from './tooltip.tsx';

export function BoxDetails() {
  const model = activePicture.value;
  const method = selectedMethod.value;
  const box = model?.selected.value ?? -1;
  if (model === null || box < 0)
    return method === null ? (
      <p class="empty">Select a part of the picture or a row of a table: what is known of it stands here.</p>
    ) : (
      <section class="details" aria-label="The selected method">
        <p class="name">{nameWithParameters(method)}</p>
        <Actions method={method} />
        <SelectedObjects />
      </section>
    );
  return <OfBox model={model} box={box} method={method} />;
}

type BoxProps = { readonly model: PictureModel; readonly box: number; readonly method: MethodInfo | null };

function OfBox({ model, box, method }: BoxProps) {
  const frame = model.shot.value?.frame;
  if (frame === undefined) return null;
  const { boxes, header } = frame;
  return (
    <section class="details" aria-label="The selected part">
      <BoxNumbers frame={frame} box={box} lately={latelyOf(model, frame, box)} />
      {method === null ? null : <Actions method={method} onRoot={() => void takeAsRoot(model, box)} />}
      <h2>The way to it</h2>
      <ol class="way">
        {pathOf(frame, box).map(at => (
          <li key={boxes.id[at]} class={at === box ? 'selected' : ''}>
            <button type="button" class="link" title={nameOfBox(frame, at)} onClick={() => selectBox(model, at)}>
              {shortNameOfBox(frame, at)}
            </button>
            <span class="number">{partText(boxes.weight[at] ?? 0, header.whole.weight)}</span>
          </li>
        ))}
      </ol>
      <SelectedObjects />
    </section>
  );
}

type ActionsProps = { readonly method: MethodInfo; readonly onRoot?: () => void };

function Actions({ method, onRoot }: ActionsProps) {
  return (
    <p class="actions" title={cellName(method)}>
      {onRoot === undefined ? null : (
        <button type="button" onClick={onRoot}>
          Only its subtree
        </button>
      )}
      <button type="button" onClick={() => void useAsFocus()}>
        Focus on it
      </button>
      <button type="button" onClick={() => show({ view: 'sandwich', method: method.key })}>
        Callers and callees
      </button>
      <button type="button" onClick={toggleHighlight}>
        Highlight
      </button>
      <button type="button" onClick={() => void openSource()}>
        Open source
      </button>
    </p>
  );
}
