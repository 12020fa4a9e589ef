// The tests that may be skipped in CI: full titles as Vitest prints them. Empty means that CI runs everything.
export const allowedSkips: readonly string[] = [];
