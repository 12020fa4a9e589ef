// Types that several files of the page share: the editor around it, the way back and forth, and the units of pictures.

/** The interface that a webview of VS Code gives its page. */
export type EditorApi = {
  readonly postMessage: (message: unknown) => void;
  readonly getState: () => unknown;
  readonly setState: (state: unknown) => void;
};

/** The way back and forth between what was shown. */
export type Places = {
  /** The fragment that is shown at the start, without `#`. */
  readonly first: string;
  readonly push: (address: string) => void;
  readonly replace: (address: string) => void;
  readonly back: () => void;
  readonly forward: () => void;
};

/** Puts a file where the user wants it, and gives the sentence that says what became of it. */
export type SaveFile = (name: string, content: Blob) => Promise<string>;

export type Theme = 'light' | 'dark';

/** A part of the root's width. */
export type Span = readonly [number, number];

/** From a box to another one, as the arrow keys ask. */
export type Step = 'parent' | 'child' | 'next' | 'previous' | 'first' | 'last';

/** From fractions and rows of a frame to those of what is shown now: `fraction · scale + shift`, `row − rows`. */
export type Mapping = { readonly scale: number; readonly shift: number; readonly rows: number };

/** A box or a run of what is too narrow (−1 for none), and the point, in pixels of the canvas. */
export type Pointed = { readonly box: number; readonly cut: number; readonly x: number; readonly y: number };
