// Rules: a layer imports only from the layers to its left, a room is entered by its door, some packages belong to one layer alone, some layers do no I/O, no files import each other in circles, and tests stand in their layer's folders.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { countCircles } from './counts/circles.ts';
import { isScript, type Rule, type Violation } from './files.ts';
import { importsOf } from './syntax.ts';

/** From left to right; layers in one group do not know each other. */
const GROUPS = [
  ['server/base'],
  ['server/model'],
  ['grammar', 'server/cct'],
  ['server/metrics', 'server/ingest'],
  ['server/snapshot'],
  ['server/store', 'server/mapping'],
  ['server/capabilities'],
  ['server/analysis', 'server/record'],
  ['server/workspace'],
  ['server/features', 'server/track'],
  ['server/answering'],
  ['server/views'],
  ['server/lsp', 'server/agents'],
  ['server/proxy'],
  ['server/cli'],
] as const;

/** Layers that know no room. */
const CORE: ReadonlySet<string> = new Set([
  ...['server/base', 'server/model', 'grammar', 'server/cct', 'server/metrics', 'server/ingest'],
  ...['server/snapshot', 'server/store', 'server/mapping', 'server/workspace'],
]);

/** Rooms, and the other rooms whose doors each may import. What a capability shows may be a room of its own, in `features`. */
const ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['server/capabilities/compare', []],
  ['server/capabilities/typed', []],
  ['server/features/compare', ['server/capabilities/compare']],
  ['server/features/overview', ['server/capabilities/compare', 'server/capabilities/typed', 'server/features/compare']],
]);

/** Packages that only these layers may import (tests may, too). */
const PACKAGE_HOMES: readonly { readonly pattern: RegExp; readonly homes: readonly string[] }[] = [
  { pattern: /^vscode-(languageserver|jsonrpc)/, homes: ['server/lsp', 'server/proxy'] },
  { pattern: /^chevrotain/, homes: ['grammar'] },
  { pattern: /^commander$/, homes: ['server/cli'] },
  { pattern: /^(@hono\/|hono)/, homes: ['server/views'] },
  { pattern: /^@modelcontextprotocol\//, homes: ['server/agents'] },
];

/** Modules of Node that a layer may import which works on what it is given: no files, network, processes or threads. Others may import all. */
const NODE_MODULES: ReadonlyMap<string, readonly string[]> = new Map([
  ['grammar', ['crypto']],
  ['server/cct', []],
  // Expressions run under a time limit.
  ['server/metrics', ['vm']],
  ['server/snapshot', ['stream', 'zlib']],
  ['server/capabilities', []],
  ['server/features', []],
]);

function layerOf(path: string): string | undefined {
  return GROUPS.flat().find(layer => path.startsWith(`${layer}/`));
}

function rank(layer: string): number {
  return GROUPS.findIndex(group => (group as readonly string[]).includes(layer));
}

/** The room that a file stands in; each folder below `server/capabilities/` has to be one. */
function roomOf(path: string): string | undefined {
  const room = [...ROOMS.keys()].find(each => path.startsWith(`${each}/`));
  return room ?? /^server\/capabilities\/[^/]+(?=\/)/.exec(path)?.[0];
}

/** Why a file may not go through a door, or past it. */
function throughWall(path: string, layer: string, target: string): string | undefined {
  const [room, other] = [roomOf(path), roomOf(target)];
  if (other === undefined || other === room) return undefined;
  if (target !== `${other}/door.ts`) return `only files of ${other} may import ${target}: others import its door.ts`;
  if (CORE.has(layer)) return `${layer} may not import ${target}: the core knows no room`;
  if (room !== undefined && ROOMS.get(room)?.includes(other) !== true)
    return `${room} may not import the door of ${other}`;
  return undefined;
}

function forbidden(path: string, layer: string, specifier: string): string | undefined {
  if (isBuiltin(specifier)) {
    const name = specifier.replace(/^node:/, '').replace(/\/.*$/, '');
    const allowed = NODE_MODULES.get(layer)?.includes(name) ?? true;
    return allowed ? undefined : `${layer} may not import ${specifier}: it works on what it is given`;
  }
  if (!specifier.startsWith('.')) {
    const homes = PACKAGE_HOMES.find(({ pattern }) => pattern.test(specifier))?.homes;
    return homes?.includes(layer) === false ? `only ${homes.join(' and ')} may import ${specifier}` : undefined;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const targetLayer = layerOf(target);
  if (target === 'package.json') return undefined;
  if (targetLayer === undefined) return `${layer} may not import ${target}, which is in no layer`;
  const wall = throughWall(path, layer, target);
  if (wall !== undefined) return wall;
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
    if (layer === 'server/capabilities' && !ROOMS.has(roomOf(file.path) ?? ''))
      violations.push({ path: file.path, line: 1, message: 'stands in no room (test/tidy/layers.ts lists them)' });
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

/** Tests of a layer stand in the folder that the files under test have inside the layer. */
export const mirrorRule: Rule = files => {
  const folders = new Set(files.map(({ path }) => posix.dirname(path)));
  const violations: Violation[] = [];
  for (const { path } of files.filter(file => file.path.endsWith('.test.ts'))) {
    const tests = posix.dirname(path);
    const layer = GROUPS.flat().find(each => `${tests}/`.startsWith(`test/${posix.basename(each)}/`));
    if (layer === undefined) continue;
    const tested = `${layer}${tests.slice(`test/${posix.basename(layer)}`.length)}`;
    if (!folders.has(tested))
      violations.push({ path, line: 1, message: `tests a folder that is not there: ${tested}` });
  }
  return violations;
};

/** Files that import each other in a circle, those of a page or an extension too. */
export const circleRule: Rule = files => [...countCircles(files).places];
