// The test suites: which files belong to each, which engines each needs, and how long each may take.

/** What stands between the tests and a real program: fetched into `.cache/engines/` by `.ci/engines/<script>.sh`. */
export type EngineName =
  | 'jdk11'
  | 'jdk17'
  | 'jdk25'
  | 'nvim010'
  | 'nvim012'
  | 'tmux'
  | 'libraries'
  | 'lsp4j'
  | 'async-profiler'
  | 'tracers'
  | 'commons-csv'
  | 'ceph'
  | 'jdtls'
  | 'vscode'
  | 'chromium'
  | 'emacs'
  | 'helix';

export type Suite = {
  readonly name: string;
  /** Globs from the root of the checkout. The fast suite takes every test file that no other suite claims. */
  readonly include: readonly string[];
  /** Engines that are fetched before the suite starts. */
  readonly engines: readonly EngineName[];
  /** After this many minutes the suite is killed and counted as one failure. */
  readonly capMinutes: number;
  /** How long one test may take, in seconds, when it does not say so itself. */
  readonly testSeconds: number;
  /** Whether the suite's files run one after the other, because they share a screen, a port or the whole machine. */
  readonly serial?: boolean;
  /**
   * Whether its tests wait for editors, JVMs, recorders, git or servers in processes of their own, which a busy machine may hold up for any
   * time: a failed file is run once more, and the run says so.
   */
  readonly drivesPrograms?: boolean;
};

/** All suites together are ended after this many minutes, so that what hangs in one of them cannot hold up a whole run for long. */
export const MOST_MINUTES = 80;

/** In the order in which `npm test` runs them: those without engines first, as these are fetched meanwhile. */
export const suites: readonly Suite[] = [
  // Properties of hundreds of runs take long on a busy machine, and no test fails because of time.
  { name: 'fast', include: ['test/**/*.test.ts'], engines: [], capMinutes: 2, testSeconds: 60 },
  {
    name: 'workspace',
    include: ['analysis', 'workspace', 'store', 'record', 'track', 'samples', 'run', 'ci'].map(
      folder => `test/${folder}/**/*.test.ts`,
    ),
    engines: [],
    capMinutes: 7,
    // Engines are unpacked meanwhile: what is made to last waits for the same disk.
    testSeconds: 90,
    drivesPrograms: true,
  },
  {
    name: 'server',
    include: ['lsp', 'answering', 'proxy', 'views', 'cli', 'agents'].map(folder => `test/${folder}/**/*.test.ts`),
    engines: [],
    capMinutes: 18,
    testSeconds: 60,
    drivesPrograms: true,
  },
  { name: 'packaging', include: ['test/packaging/**/*.test.ts'], engines: [], capMinutes: 3, testSeconds: 45 },
  { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], engines: [], capMinutes: 8, testSeconds: 120 },
  {
    name: 'jdk',
    include: ['test/**/*.jdk.test.ts'],
    engines: ['jdk17', 'jdk25', 'async-profiler', 'tracers'],
    capMinutes: 12,
    testSeconds: 420,
  },
  {
    name: 'record',
    include: ['test/record/**/*.jdk.test.ts'],
    engines: ['jdk17', 'jdk25', 'nvim012', 'jdk11'],
    capMinutes: 19,
    testSeconds: 120,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'neovim',
    include: ['test/editors/neovim/**/*.test.ts'],
    engines: ['nvim010', 'nvim012', 'tmux', 'jdk17', 'jdk25'],
    capMinutes: 14,
    testSeconds: 120,
    drivesPrograms: true,
  },
  {
    name: 'clients',
    include: ['test/editors/**/*.lsp4j.test.ts'],
    engines: ['lsp4j', 'jdk17', 'jdk25'],
    capMinutes: 3,
    testSeconds: 60,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'jdtls',
    include: ['test/editors/**/*.jdtls.test.ts'],
    engines: ['jdtls', 'jdk17', 'jdk25', 'nvim010', 'nvim012'],
    capMinutes: 8,
    testSeconds: 120,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'vscode',
    include: ['test/editors/vscode/**/*.vscode.test.ts'],
    engines: ['vscode', 'chromium', 'jdk17', 'jdk25', 'jdtls'],
    capMinutes: 12,
    testSeconds: 90,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'web',
    include: ['test/editors/web/**/*.web.test.ts'],
    engines: ['chromium', 'jdk17', 'nvim012'],
    capMinutes: 8,
    testSeconds: 60,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'terminals',
    include: ['test/editors/emacs/**/*.test.ts', 'test/editors/helix/**/*.test.ts'],
    engines: ['emacs', 'helix', 'tmux', 'jdk17', 'jdk25'],
    capMinutes: 10,
    testSeconds: 90,
    drivesPrograms: true,
    serial: true,
  },
  {
    name: 'accuracy',
    include: ['test/accuracy/**/*.test.ts'],
    engines: ['jdk17', 'jdk25', 'libraries', 'nvim010', 'nvim012', 'tmux'],
    capMinutes: 8,
    testSeconds: 180,
    serial: true,
  },
  {
    name: 'store',
    include: ['test/store/**/*.ceph.test.ts'],
    engines: ['ceph'],
    capMinutes: 6,
    testSeconds: 180,
    drivesPrograms: true,
    serial: true,
  },
];

/** The globs of the files that `suite` must leave to others: the fast suite leaves all claimed files, the jdk suite those in a folder of another suite with engines, the workspace suite those with an engine. */
export function excluded(suite: Suite): string[] {
  const before = suites.filter(other => other.name !== suite.name && other.name !== 'fast');
  if (suite.name === 'fast') return before.flatMap(other => other.include);
  if (suite.name === 'workspace') return ['**/*.ceph.test.ts', '**/*.jdk.test.ts'];
  if (suite.name === 'jdk') return before.filter(({ engines }) => engines.length > 0).flatMap(other => other.include);
  return [];
}

/** How long a suite may take that starts `begun` minutes after the whole run. */
export function minutesFor(suite: Suite, begun: number): number {
  return Math.max(0, Math.min(suite.capMinutes, MOST_MINUTES - begun));
}
