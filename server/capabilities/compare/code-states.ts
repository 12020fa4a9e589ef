// Whether the code of methods is that of the baseline, method by method, as commits tell.

/** Values of a column with one for each shown method. */
export const CodeState = { unknown: 0, same: 1, changed: 2 } as const;
