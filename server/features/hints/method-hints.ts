// The hint at a declaration that ran: its method time and the part of it that it spent itself, `62% · self 4%`.

import type { Declaration } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import { printableName } from '../../base/printable.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { Baseline, Change } from '../facts/compare.ts';
import { factsOf } from '../facts/method-facts.ts';
import { doubtsOf } from '../facts/recorded-place.ts';
import { graphicOf } from '../facts/word-graphic.ts';
import { reaches, type Share, samplesText, shareInProse, shareWithCounts } from '../text/format-share.ts';
import type { HintCandidate, HintRequest } from './hint-candidate.ts';
import { isLimited, methodText, needsGraphic } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';

/** Candidates of those of the document's `entries` that own code; thresholds are applied. */
export function methodHints(request: HintRequest): HintCandidate[] {
  const { document, entries, options, baseline, stateOf } = request;
  const { mapped, outline } = document;
  if (mapped === null || !options.methods) return [];
  const { data } = mapped;
  const candidates: HintCandidate[] = [];
  for (const entry of entries) {
    const declaration = outline.declarations[entry.declaration]!;
    const facts = methodToShow(data, entry, declaration, options);
    if (facts === null) continue;
    const { total } = facts;
    const { whole } = data.analysis;
    const stale = doubtsOf(document, entry) !== null;
    const change = methodChange(data, entry, facts, baseline);
    const words = {
      ...sharesOf(facts, whole),
      isDoubtful: stale,
      state: stateOf(declaration.row),
      change,
      graphic: needsGraphic(options.format) ? graphicOf(data, entry) : null,
    };
    const text = methodText(words, options.format);
    if (text === '') continue;
    candidates.push({
      kind: declaration.kind === 'lambda' ? 'lambda' : 'method',
      line: lineOf(outline, declaration.nameSpan.start),
      declaration: declaration.row,
      weight: total.weight,
      heat: whole.weight > 0 ? total.weight / whole.weight : 0,
      stale,
      change,
      text,
      name: '',
      isLimited: isLimited(options.format),
      explanation: explanationOf(titleOf(declaration), facts, whole, data.metric.id),
    });
  }
  return candidates;
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
export function methodChange(
  data: LoadedData,
  entry: MappedDeclaration,
  { total }: MethodFacts,
  baseline: Baseline | null,
): Change | null {
  if (baseline === null || entry.onlyLines !== undefined) return null;
  return baseline.methodChange(data, entry.methods, total, data.values.effectiveWhole);
}

function sharesOf({ total, self }: MethodFacts, whole: Amount): { total: Share; self: Share } {
  return {
    total: { part: total.weight, whole: whole.weight, samples: total.count },
    self: { part: self.weight, whole: total.weight, samples: self.count },
  };
}

/** Facts are worked out once and remembered, and so are the texts, which do not depend on the file either. */
const explanationOfFacts = new WeakMap<MethodFacts, { readonly title: string; readonly text: string }>();

function explanationOf(title: string, facts: MethodFacts, whole: Amount, metric: string): string {
  const known = explanationOfFacts.get(facts);
  if (known?.title === title) return known.text;
  const { total, self } = sharesOf(facts, whole);
  const text = `${title}: ${shareWithCounts(total, whole.count)} samples of ${metric}; ${selfText(self)}`;
  explanationOfFacts.set(facts, { title, text });
  return text;
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

/** What a declaration is called in prose. */
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

function selfText(share: Share): string {
  if (share.samples === 0) return 'never itself running';
  return `itself running in ${shareInProse(share)} of those (${samplesText(share.samples)})`;
}
