// Which build of the program runs: what is kept from one start to the next is of use to the same program only.

/** Differs between bundles of different text; null in the sources, which change file by file. */
export const BUILD: string | null = process.env.INSITU_BUILD ?? null;
