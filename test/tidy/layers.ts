// Rule: a layer imports only from the layers to its left, and some packages belong to one layer alone.
import { posix } from 'node:path';
import { isScript, type Rule, type Violation } from './files.ts';
import { importsOf } from './syntax.ts';

/** From left to right; layers in one group do not know each other. */
const GROUPS = [
  ['server/base'],
  ['grammar', 'server/cct'],
  ['server/metrics', 'server/ingest'],
  ['server/snapshot'],
  ['server/store', 'server/mapping'],
  ['server/record', 'server/workspace'],
  ['server/features'],
  ['server/views'],
  ['server/lsp'],
  ['server/cli'],
] as const;

/** Packages that only one layer may import (tests may, too). */
const PACKAGE_HOMES: readonly { readonly pattern: RegExp; readonly home: string }[] = [
  { pattern: /^vscode-(languageserver|jsonrpc)/, home: 'server/lsp' },
  { pattern: /^chevrotain/, home: 'grammar' },
  { pattern: /^commander$/, home: 'server/cli' },
];

function layerOf(path: string): string | undefined {
  return GROUPS.flat().find(layer => path.startsWith(`${layer}/`));
}

function rank(layer: string): number {
  return GROUPS.findIndex(group => (group as readonly string[]).includes(layer));
}

function forbidden(path: string, layer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    const home = PACKAGE_HOMES.find(({ pattern }) => pattern.test(specifier))?.home;
    return home === undefined || home === layer ? undefined : `only ${home} may import ${specifier}`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const targetLayer = layerOf(target);
  if (target === 'package.json') return undefined;
  if (targetLayer === undefined) return `${layer} may not import ${target}, which is in no layer`;
  if (targetLayer === layer || rank(targetLayer) < rank(layer)) return undefined;
  return `${layer} may not import from ${targetLayer}: imports only go leftwards`;
}

export const layerRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files.filter(isScript)) {
    const inServer = file.path.startsWith('server/');
    const layer = layerOf(file.path);
    if (inServer && layer === undefined)
      violations.push({ path: file.path, line: 1, message: 'stands in no layer (test/tidy/layers.ts lists them)' });
    for (const { specifier, line } of importsOf(file)) {
      // The launchers are copied into dist/bin/ and load the bundle that stands beside it.
      if (file.path.startsWith('server/cli/bin/')) continue;
      const reachesServer =
        specifier.startsWith('.') && layerOf(posix.join(posix.dirname(file.path), specifier)) !== undefined;
      const inClient = file.path.startsWith('clients/') && reachesServer;
      const message = layer === undefined ? undefined : forbidden(file.path, layer, specifier);
      if (message !== undefined) violations.push({ path: file.path, line, message });
      else if (inClient)
        violations.push({ path: file.path, line, message: 'clients know the protocol only, not the server' });
    }
  }
  return violations;
};
