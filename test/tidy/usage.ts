// Rules: no file that nothing uses, and no message of our own that is not documented.
import { posix } from 'node:path';
import { extension, isScript, lineAt, type Rule, type TidyFile, type Violation } from './files.ts';
import { importsOf, literalText, syntaxOf } from './syntax.ts';

/** Files that something outside the sources starts or finds, besides what package.json names: Vitest, the benchmark's list, CI. */
const ENTRIES: readonly RegExp[] = [
  /^server\/cli\/main\.ts$/,
  /^server\/cli\/bin\/insitu(-lsp)?\.cjs$/,
  /^vitest\.config\.ts$/,
  // The configuration of Vitest uses these files.
  /^test\/run\/(built|set-up|shipped-workers)\.ts$/,
  /^test\/.*\.test\.ts$/,
  /^test\/bench\/[^/]+\.ts$/,
  /^\.ci\/[^/]+$/,
  // Run by hand: samples/README.md and test/proxy/traffic/README.md give the commands.
  /^samples\/[^/]+\.sh$/,
  /^test\/proxy\/record-traffic\.ts$/,
  // A client's host finds these by their place.
  /^clients\/neovim\/(plugin|lsp|ftplugin|after)\//,
  /^clients\/neovim\/lua\/[^/]+\/(init|health)\.lua$/,
];

/** Files that are found by name alone: a user of such a file mentions its name. */
const BY_NAME = new Set(['sh', 'lua', 'java', 'py', 'el', 'vim', 'json']);

/** Programs under test, and their like, are used as a whole folder. */
const WHOLE_FOLDERS: readonly RegExp[] = [/^test\/([^/]+\/)*corpus\//, /^samples\/[^/]+\//, /^clients\/(?!neovim\/)/];

export const deadFileRule: Rule = files => {
  const byPath = new Map(files.map(file => [file.path, file]));
  const candidates = files.filter(file => isScript(file) || BY_NAME.has(extension(file.path))).filter(isInProject);
  const alive = new Set<string>();
  const scripts = byPath.get('package.json')?.text ?? '';
  const open = candidates.filter(({ path }) => ENTRIES.some(entry => entry.test(path)) || scripts.includes(` ${path}`));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (alive.has(file.path)) continue;
    alive.add(file.path);
    const { text, path } = file;
    for (const target of scriptTargets(file)) {
      const used = byPath.get(target);
      if (used !== undefined) open.push(used);
    }
    for (const other of candidates)
      if (BY_NAME.has(extension(other.path)) && other.path !== path && mentions(text, other.path)) open.push(other);
  }
  return candidates
    .filter(({ path }) => !alive.has(path))
    .map(({ path }) => ({ path, line: 1, message: 'is used by nothing that runs' }));
};

function isInProject({ path }: TidyFile): boolean {
  return /^(server|grammar|test|\.ci|clients|samples)\//.test(path) && !WHOLE_FOLDERS.some(folder => folder.test(path));
}

/** The files that a script imports or names in strings, from its own folder or from the root: worker entries, servers to start. */
function scriptTargets(file: TidyFile): string[] {
  if (!isScript(file)) return [];
  const imports = importsOf(file).map(({ specifier }) => specifier);
  const strings = syntaxOf(file).places.map(({ node }) => literalText(node) ?? '');
  const named = strings.filter(text => /^[\w./-]+\.([mc]?ts|[mc]?js)$/.test(text));
  return [...[...imports, ...named].map(specifier => posix.join(posix.dirname(file.path), specifier)), ...named];
}

/** By file name, or as a Lua module: `insitu.heat` for lua/insitu/heat.lua. */
function mentions(text: string, path: string): boolean {
  const name = posix.basename(path);
  const module = /\/lua\/(.+)\.lua$/.exec(path)?.[1]?.replaceAll('/', '.');
  const classFile = extension(path) === 'java' && new RegExp(`\\b${posix.basename(path, '.java')}\\b`).test(text);
  return text.includes(name) || classFile || (module !== undefined && new RegExp(`['"]${module}['"]`).test(text));
}

const DOCUMENT = 'docs/lsp-extensions.md';

/** Every method name `insitu/…` in server/lsp stands in the document in backticks. */
export const messageRule: Rule = files => {
  const documented = files.find(file => file.path === DOCUMENT)?.text ?? '';
  const violations: Violation[] = [];
  for (const file of files) {
    if (!isScript(file) || !file.path.startsWith('server/lsp/')) continue;
    for (const { node } of syntaxOf(file).places) {
      const text = literalText(node);
      if (text === undefined || !/^\$?\/?insitu\/[\w/-]+$/.test(text) || documented.includes(`\`${text}\``)) continue;
      violations.push({
        path: file.path,
        line: lineAt(file.text, node.start),
        message: `${text} is not documented in ${DOCUMENT}`,
      });
    }
  }
  return violations;
};
