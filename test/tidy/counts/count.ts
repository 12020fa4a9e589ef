// The type of a count: a number that says how complicated the project is, and the places that make it up.
import type { TidyFile, Violation } from '../files.ts';

export type Counted = {
  readonly total: number;
  /** In the order in which they are worth looking at. */
  readonly places: readonly Violation[];
};

/** The project as counts see it. */
export type Project = {
  /** The checkout's folder. */
  readonly root: string;
  readonly files: readonly TidyFile[];
  /** Files that something starts or loads from outside the sources, or that are the package's interface: their exports are used. */
  readonly entries: ReadonlySet<string>;
};

/** Each place counts once. */
export function eachPlace(places: readonly Violation[]): Counted {
  return { total: places.length, places };
}

/** Whether a file belongs to the simplified program: the server and the grammar, without tests, clients and samples. */
export function isProgram({ path }: TidyFile): boolean {
  return /^(server|grammar)\/.*\.(ts|cjs)$/.test(path);
}
