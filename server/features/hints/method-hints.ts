// The hint at a declaration that ran: its method time and what it spent itself, both of everything, `62% · self 4%`.

import type { Declaration } from '../../../grammar/outline.ts';
import { factsOf } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import { printableName } from '../../base/printable.ts';
import type { ComparedShare } from '../../capabilities/compare/door.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import { methodChange } from '../compare/door.ts';
import { claimsOn, claimsText } from '../facts/class-claims.ts';
import type { CodeState } from '../facts/code-state.ts';
import { doubtsOf } from '../facts/recorded-place.ts';
import { graphicOf } from '../facts/word-graphic.ts';
import { amountOfWhole } from '../hover/amount-text.ts';
import { partOf, reaches, selfText, shareWithCounts } from '../text/format-share.ts';
import type { HintCandidate, HintRequest } from './hint-content.ts';
import { methodText, needsGraphic } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';

/** The candidate of a declaration that owns code; null below the thresholds. */
export function methodHint(
  request: HintRequest,
  entry: MappedDeclaration,
  state: CodeState['name'],
): HintCandidate | null {
  const { document, mapped, options, baseline } = request;
  if (!options.methods) return null;
  const { data } = mapped;
  const declaration = document.outline.declarations[entry.declaration]!;
  const facts = methodToShow(data, entry, declaration, options);
  if (facts === null) return null;
  const { whole } = data.analysis;
  const [total, self] = [partOf(facts.total, whole), partOf(facts.self, whole)];
  const stale = doubtsOf(document, entry) !== null;
  const claims = claimsOn(document, declaration.row);
  const change = declarationChange(data, entry, facts, baseline);
  const graphic = needsGraphic(options.format) ? graphicOf(data, entry) : null;
  const text = methodText({ total, self, isDoubtful: stale, state, change, graphic }, options.format);
  if (text === '') return null;
  return {
    kind: declaration.kind === 'lambda' ? 'lambda' : 'method',
    line: lineOf(document.outline, declaration.nameSpan.start),
    declaration: declaration.row,
    weight: facts.total.weight,
    stale,
    change,
    text,
    explanation: `${titleOf(declaration)}: ${shareWithCounts(total, whole.count, amountOfWhole(total.part, whole.weight, data.metric))} samples of ${data.metric.id}; ${selfText(facts.self, facts.total, whole)}${claims === null ? '' : `; ${claimsText(claims)}`}`,
  };
}

/** The numbers of a declaration that reaches the thresholds of method hints, whether those are switched on or not; null for others. */
export function methodToShow(
  data: LoadedData,
  entry: MappedDeclaration,
  declaration: Declaration,
  { minimumSamples, methodThreshold }: HintOptions,
): MethodFacts | null {
  if (!ownsCode(declaration)) return null;
  const facts = factsOf(data, entry);
  const { total } = facts;
  const { whole } = data.analysis;
  return total.count >= minimumSamples && reaches(total.weight, whole.weight, methodThreshold) ? facts : null;
}

/** How the method time moved; blocks, whose lines are another version's, have no change. */
export function declarationChange(
  data: LoadedData,
  entry: MappedDeclaration,
  { total }: MethodFacts,
  baseline: Baseline | null,
): ComparedShare | null {
  if (baseline === null || entry.onlyLines !== undefined) return null;
  return methodChange(data, entry.methods, total, baseline);
}

/** Types are left out: what the compiler generates for them has no place of its own in the source. */
export function ownsCode({ kind }: Declaration): boolean {
  switch (kind) {
    case 'method':
    case 'constructor':
    case 'compactConstructor':
    case 'staticInitializer':
    case 'instanceInitializer':
    case 'lambda':
      return true;
    default:
      return false;
  }
}

/** The name of a declaration in prose. */
export function titleOf({ kind, name }: Declaration): string {
  switch (kind) {
    case 'lambda':
      return 'this lambda';
    case 'staticInitializer':
      return 'this static initialiser';
    case 'instanceInitializer':
      return 'this initialiser';
    default:
      return printableName(name);
  }
}
