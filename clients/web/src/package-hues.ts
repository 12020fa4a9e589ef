// Which hue the packages of the data have, and which of them the pictures on the page show.
import { computed } from '@preact/signals';
import type { Frame } from './frame-decoder.ts';
import { packageOf } from './name-trimming.ts';
import { assignTints, NO_TINTS, type PackageTints } from './package-tints.ts';
import { data } from './page-state.ts';
import { type Belonging, belongingOf } from './palette.ts';
import { picturesShown } from './pictures-shown.ts';

let last: { readonly program: string; readonly tints: PackageTints } = { program: '', tints: NO_TINTS };

/** Of a program's data, whatever is looked at; a package keeps its hue while the data grow. */
export const tintsShown = computed<PackageTints>(() => {
  const { project = '', program = '', packages = [], ownPackages = 0 } = data.value ?? {};
  const of = JSON.stringify([project, program]);
  const before = of === last.program ? last.tints : NO_TINTS;
  last = { program: of, tints: assignTints(packages.slice(0, ownPackages), before) };
  return last.tints;
});

/** The colours of packages in the frames: hues by their number, and `library` and `platform`. */
export function belongingsIn(frames: readonly Frame[], tints: PackageTints): ReadonlySet<number | string> {
  const found = new Set<number | string>();
  for (const { header, boxes } of frames)
    for (const method of new Set(boxes.method)) {
      const info = header.methods[method];
      if (info === undefined) continue;
      const belonging: Belonging = belongingOf(packageOf(info), info.library, tints);
      found.add(typeof belonging === 'string' ? belonging : belonging.hue);
    }
  return found;
}

/** Of all pictures on the page together, so that both halves of a sandwich agree. */
export const belongingsShown = computed(() =>
  belongingsIn(
    picturesShown.value.flatMap(({ shot }) => (shot.value === null ? [] : [shot.value.frame])),
    tintsShown.value,
  ),
);
