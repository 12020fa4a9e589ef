// Writes a snapshot as the bytes of one `.cct` file.
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import type { Cells, Profile } from '../cct/profile.ts';
import { partialNode } from '../cct/tree-index.ts';
import { packCells } from './cell-section.ts';
import { joinFile, type Section } from './format.ts';
import { type MetricTotals, packHeader } from './header.ts';
import { isRequiredSection } from './sections.ts';
import type { Snapshot } from './snapshot.ts';
import { packSources, SOURCES } from './source-section.ts';
import { packMethods, packStrings, packThreads } from './table-sections.ts';
import { packTimes, TIMES } from './times-section.ts';
import { packTree } from './tree-sections.ts';

const LEVEL = 6;

/** The file's bytes; the same snapshot always gives the same bytes. */
export function encodeSnapshot({ header, profile, sources = [] }: Snapshot): Uint8Array {
  const tree = packTree(profile.tree, profile.methods.length);
  const unpacked: [string, Uint8Array][] = [
    ['strings', packStrings(profile.methods.strings)],
    ['methods', packMethods(profile.methods)],
    ['threads', packThreads(profile.threads)],
    ['calls', tree.calls],
    ['steps', tree.steps],
    ['ranks', tree.ranks],
    ...profile.cells.map((cells, i): [string, Uint8Array] => [`cells.${i}`, packCells(cells)]),
    ...(profile.times === undefined ? [] : [[TIMES, packTimes(profile.times)] satisfies [string, Uint8Array]]),
    ...(sources.length === 0 ? [] : [[SOURCES, packSources(sources)] satisfies [string, Uint8Array]]),
  ];
  const packed = unpacked.map(([, bytes]) => compress(bytes));
  const sections = unpacked.map(
    ([name, bytes], i): Section => ({
      name,
      packed: packed[i]!.length,
      unpacked: bytes.length,
      required: isRequiredSection(name),
      checksum: crc32(packed[i]!),
    }),
  );
  const head = packHeader({
    snapshot: header,
    windows: profile.windows,
    metrics: profile.metrics,
    totals: profile.cells.map(cells => totalsOf(profile, cells)),
    losses: profile.losses,
    sizes: {
      nodes: profile.tree.length,
      methods: profile.methods.length,
      strings: profile.methods.strings.length,
      threads: profile.threads.length,
    },
    storage: profile.cells.map(cells => ({ cells: cells.length, weighted: cells.weightSquares !== null })),
    sections,
  });
  return joinFile(head, packed);
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: bytes.length,
  });
}

function totalsOf({ tree }: Profile, cells: Cells): MetricTotals {
  const partial = partialNode(tree);
  const partialEnd = partial < 0 ? -1 : tree.subtreeEnd[partial]!;
  const totals = { count: 0, weight: 0, incompleteCount: 0, incompleteWeight: 0 };
  for (let i = 0; i < cells.length; i++) {
    totals.count += cells.count[i]!;
    totals.weight += cells.weight[i]!;
    if (cells.node[i]! < partial || cells.node[i]! >= partialEnd) continue;
    totals.incompleteCount += cells.count[i]!;
    totals.incompleteWeight += cells.weight[i]!;
  }
  // Sums of absurd weights must not make a header that no reader takes.
  totals.weight = Math.min(totals.weight, Number.MAX_VALUE);
  totals.incompleteWeight = Math.min(totals.incompleteWeight, Number.MAX_VALUE);
  totals.count = Math.min(totals.count, Number.MAX_VALUE);
  totals.incompleteCount = Math.min(totals.incompleteCount, Number.MAX_VALUE);
  return totals;
}
