// Tells files apart that claim the same class: by how well the observed frames fall into their members, then by source root.
import { codeTokens } from '../../grammar/lexer.ts';
import type { Frame } from './frame.ts';
import { Surroundings } from './lambdas.ts';
import { lineOf } from './observed-lines.ts';
import type { OutlineIndex } from './outline-index.ts';
import { resolveMethod } from './resolve.ts';
import type { IndexedFile } from './source-cache.ts';
import { sourceRootOf } from './source-paths.ts';

export type Claim = { readonly file: IndexedFile; readonly index: OutlineIndex; readonly text: string };

/** The weight of one frame as evidence for a file; a line inside the right member weighs most. */
const WEIGHT: Readonly<Record<string, number>> = {
  exact: 3,
  erased: 3,
  line: 3,
  'name only': 2,
  generated: 1,
  header: 1,
  ambiguous: 1,
  'no source': -3,
};

/**
 * The claim that explains the frames best. Equal ones: the source root that `near` (a path, if any) lies in, then the root
 * that wins by name: not a test tree, the shorter path, the smaller name.
 */
export function chooseFile(claims: readonly Claim[], frames: readonly Frame[], near?: string): Claim | null {
  let best: Claim | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const claim of claims) {
    const score = scoreClaim(claim, frames);
    if (best !== null && (score < bestScore || (score === bestScore && compareRoots(best, claim, near) <= 0))) continue;
    best = claim;
    bestScore = score;
  }
  return best;
}

/** The claim that explains the frames better than any other; null where several do so equally well. */
export function whichRan(claims: readonly Claim[], frames: readonly Frame[]): Claim | null {
  const scores = claims.map(claim => scoreClaim(claim, frames));
  const best = Math.max(...scores);
  return scores.filter(score => score === best).length === 1 ? claims[scores.indexOf(best)]! : null;
}

function scoreClaim({ index, text }: Claim, frames: readonly Frame[]): number {
  const around = new Surroundings(frames, null);
  let score = 0;
  for (const frame of frames) {
    const { declarations, confidence } = resolveMethod(index, frame, around);
    score += WEIGHT[confidence] ?? 0;
    if (frame.lines.length === 0 || declarations.length === 0) continue;
    const fitOf = lineFits(text, index, declarations[0]!);
    const fit = frame.lines.reduce((sum, line) => sum + fitOf(line), 0);
    score += (2 * fit) / frame.lines.length - 1;
  }
  return score;
}

/** How well a line fits a declaration: 1 where its code stands, a half in the rest of a method, to whose lines no code belongs. */
function lineFits(text: string, { outline }: OutlineIndex, row: number): (line: number) => number {
  const { kind, lines, span, body } = outline.declarations[row]!;
  const last = lines.at(-1)?.[1] ?? lineOf(outline, span.end);
  const first = lineOf(outline, span.start);
  const isInside = (line: number) => line >= first && line <= last;
  if (kind !== 'method' || body === null) return line => (isInside(line) ? 1 : 0);
  const [, ...tokens] = codeTokens(text.slice(body.start, body.end));
  const written = new Set(tokens.map(({ startOffset }) => lineOf(outline, body.start + startOffset)));
  return line => (written.has(line) ? 1 : isInside(line) ? 0.5 : 0);
}

/** Negative when `a` is to be preferred. */
function compareRoots(a: Claim, b: Claim, near: string | undefined): number {
  return rootKey(a, near) < rootKey(b, near) ? -1 : 1;
}

function rootKey({ file }: Claim, near: string | undefined): string {
  const root = sourceRootOf(file.path, file.packageName);
  const isNear = near?.startsWith(root) === true && /^(?:[\\/]|$)/.test(near.slice(root.length));
  const far = isNear ? 0 : 1;
  const test = /(?:^|[\\/])(?:test|it|androidTest|testFixtures)(?:[\\/]|$)/.test(root) ? 1 : 0;
  return `${far}${test}${String(root.length).padStart(6, '0')}${root}`;
}
