// The pictures that stand on the page, and the root of the one that keys of the whole page are for.
import { computed, signal } from '@preact/signals';
import type { MethodKey } from 'insitu/views';
import { shown } from './page-state.ts';
import type { PictureModel } from './picture-model.ts';

/** The picture that keys of the whole page are for. */
export const activePicture = signal<PictureModel | null>(null);
/** From top to bottom. */
export const picturesShown = signal<readonly PictureModel[]>([]);

/** The steps to the root, the last of them by name where its address has the id of a call path. */
export const rootSteps = computed<readonly MethodKey[]>(() => {
  const { root } = shown.value;
  const shot = activePicture.value?.shot.value ?? null;
  const isAnchor = root[0]?.startsWith('@') === true && String(shot?.asked.root) === String(root);
  return isAnchor ? (shot?.frame.header.root.steps ?? root) : root;
});
