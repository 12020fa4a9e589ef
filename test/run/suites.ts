// The test suites: which files belong to each, which engines each needs, and what may run beside it.

/** The engines: real programs that tests drive, fetched into `.cache/engines/` by `.ci/engines/<script>.sh`. */
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
  | 'h2'
  | 'service'
  | 'ceph'
  | 'jdtls'
  | 'vscode'
  | 'chromium'
  | 'firefox'
  | 'emacs'
  | 'helix';

export type Suite = {
  readonly name: string;
  /** Globs from the root of the checkout. The fast suite takes every test file that no other suite claims. */
  readonly include: readonly string[];
  /** Engines that are fetched before the suite starts. */
  readonly engines: readonly EngineName[];
  /** Globs of files that get a process of their own: they mock modules, or a module that they share with others has hooks or threads. */
  readonly apart?: readonly string[];
  /** Whether the suite's files run one after the other, because they share a screen, a port or the whole machine. */
  readonly serial?: boolean;
  /** Whether the tests mostly wait, for programs and for moments to come: such a suite can run beside another one. */
  readonly waits?: boolean;
  /** Whether nothing may run beside the suite. */
  readonly alone?: boolean;
  /**
   * Whether its tests wait for editors, JVMs, recorders, git or servers in processes of their own, which a busy machine may hold up for any
   * time: a failed file is run once more, and the run says so.
   */
  readonly drivesPrograms?: boolean;
};

/** In the order in which `npm test` runs them: those without engines first, as these are fetched meanwhile. */
export const suites: readonly Suite[] = [
  {
    name: 'fast',
    include: ['test/**/*.test.ts'],
    engines: [],
    apart: ['test/editors/vscode/{path-filter,picture-panel,vscode-commands}.test.ts'],
  },
  {
    name: 'workspace',
    include: ['analysis', 'workspace', 'store', 'record', 'track', 'samples', 'run', 'ci'].map(
      folder => `test/${folder}/**/*.test.ts`,
    ),
    engines: [],
    apart: [
      'test/workspace/code/{pairing-in-git,profiled-*,snapshot-sources}.test.ts',
      'test/workspace/data/loader-*.test.ts',
      'test/{record,store,track}/*full-disk.test.ts',
    ],
    drivesPrograms: true,
  },
  {
    name: 'server',
    include: ['lsp', 'answering', 'proxy', 'views', 'cli', 'agents'].map(folder => `test/${folder}/**/*.test.ts`),
    engines: [],
    apart: ['test/lsp/many-documents.test.ts', 'test/cli/commands/import-full-disk.test.ts'],
    drivesPrograms: true,
  },
  { name: 'packaging', include: ['test/packaging/**/*.test.ts'], engines: [] },
  {
    name: 'fuzz',
    include: ['test/fuzz/**/*.test.ts'],
    engines: [],
    // Some of these files look at the memory of their process.
    apart: ['test/fuzz/fuzzed-*.test.ts'],
  },
  {
    name: 'jdk',
    include: ['test/**/*.jdk.test.ts'],
    engines: ['jdk17', 'jdk25', 'async-profiler', 'tracers'],
  },
  {
    name: 'record',
    include: ['test/record/**/*.jdk.test.ts'],
    engines: ['jdk17', 'jdk25', 'nvim012', 'jdk11'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'neovim',
    include: ['test/editors/neovim/**/*.test.ts'],
    engines: ['nvim010', 'nvim012', 'tmux', 'jdk17', 'jdk25'],
    drivesPrograms: true,
  },
  {
    name: 'clients',
    include: ['test/editors/**/*.lsp4j.test.ts'],
    engines: ['lsp4j', 'jdk17', 'jdk25'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'jdtls',
    include: ['test/editors/**/*.jdtls.test.ts'],
    engines: ['jdtls', 'jdk17', 'jdk25', 'nvim010', 'nvim012'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'vscode',
    include: ['test/editors/vscode/**/*.vscode.test.ts'],
    engines: ['vscode', 'chromium', 'jdk17', 'jdk25', 'jdtls'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'web',
    include: ['test/editors/web/**/*.web.test.ts'],
    engines: ['chromium', 'firefox', 'jdk17', 'nvim012'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'terminals',
    include: ['test/editors/emacs/**/*.test.ts', 'test/editors/helix/**/*.test.ts'],
    engines: ['emacs', 'helix', 'tmux', 'jdk17', 'jdk25'],
    drivesPrograms: true,
    serial: true,
    waits: true,
  },
  {
    name: 'accuracy',
    include: ['test/accuracy/**/*.test.ts'],
    engines: ['jdk17', 'jdk25', 'libraries', 'nvim010', 'nvim012', 'tmux'],
    serial: true,
    alone: true,
  },
  {
    name: 'store',
    include: ['test/store/**/*.ceph.test.ts'],
    engines: ['ceph'],
    drivesPrograms: true,
    serial: true,
    waits: true,
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

/** A part of a suite's files, as Vitest has it. */
export type Project = {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether each file has a process of its own. */
  readonly isolate: boolean;
};

/** The files that share processes, and the files that get one each. */
export function projectsOf(suite: Suite): Project[] {
  const { name, include, apart = [] } = suite;
  const shared = { name, include, exclude: [...excluded(suite), ...apart], isolate: false };
  if (apart.length === 0) return [shared];
  return [shared, { name: `${name}-apart`, include: apart, exclude: excluded(suite), isolate: true }];
}
