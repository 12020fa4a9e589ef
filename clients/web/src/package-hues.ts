// Which packages have a hue: the most common ones of the data; and which of them cover most of the pictures on the page.
import { computed } from '@preact/signals';
import type { Frame } from './frame-decoder.ts';
import { packageOf } from './name-trimming.ts';
import { data } from './page-state.ts';
import { assignHues, type PackageHues } from './palette.ts';
import { picturesShown } from './pictures-shown.ts';

/** How wide the boxes of each package are together; names that are only libraries' say so. */
type PackageWidths = ReadonlyMap<string, { width: number; library: boolean }>;

export function packageWidths(frames: readonly Frame[]): PackageWidths {
  const widths = new Map<string, { width: number; library: boolean }>();
  for (const { boxes, header } of frames)
    boxes.method.forEach((method, box) => {
      const info = header.methods[method];
      if (info === undefined) return;
      const name = packageOf(info);
      const entry = widths.get(name) ?? { width: 0, library: true };
      entry.width += Math.min(1, boxes.end[box] ?? 0) - Math.max(0, boxes.start[box] ?? 0);
      entry.library &&= info.library;
      widths.set(name, entry);
    });
  return widths;
}

/** Widest first; of equal ones by name. */
export function heaviestPackages(widths: PackageWidths): string[] {
  const sorted = [...widths].sort(([a, one], [b, other]) => other.width - one.width || (a < b ? -1 : 1));
  return sorted.map(([name]) => name);
}

/** Of all pictures on the page together, so that both halves of a sandwich agree. */
export const widthsShown = computed<PackageWidths>(() =>
  packageWidths(picturesShown.value.flatMap(({ shot }) => (shot.value === null ? [] : [shot.value.frame]))),
);

let last: { readonly program: string; readonly hues: PackageHues } = { program: '', hues: new Map() };

/** Of a program's data, whatever is looked at; a package keeps its hue while the data grow. */
export const huesShown = computed<PackageHues>(() => {
  const { project = '', program = '', packages = [] } = data.value ?? {};
  const of = JSON.stringify([project, program]);
  last = { program: of, hues: assignHues(packages, of === last.program ? last.hues : new Map()) };
  return last.hues;
});
