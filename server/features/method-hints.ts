// The hint at a declaration that ran: its method time and the part of it that it spent itself, `62% · self 4%`.

import type { Declaration } from '../../grammar/outline.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import { reaches, type Share, samplesText, shareInHint, shareInProse, shareWithCounts } from './format-share.ts';
import type { HintCandidate } from './hint-candidate.ts';
import type { HintOptions } from './hint-options.ts';
import { factsOf, type MethodFacts } from './method-facts.ts';
import { doubtsOf } from './recorded-place.ts';

/** Share of the method below which its self time is left out. */
const SMALLEST_SELF = 0.001;

/** Candidates of those of the document's `entries` that own code; thresholds are applied. */
export function methodHints(
  document: DocumentView,
  entries: readonly MappedDeclaration[],
  options: HintOptions,
): HintCandidate[] {
  const { mapped, outline } = document;
  if (mapped === null || !options.methods) return [];
  const { analysis, metric } = mapped.data;
  const candidates: HintCandidate[] = [];
  for (const entry of entries) {
    const declaration = outline.declarations[entry.declaration]!;
    if (!ownsCode(declaration)) continue;
    const facts = factsOf(mapped.data, entry);
    const { total } = facts;
    const { whole } = analysis;
    if (total.count < options.minimumSamples || !reaches(total.weight, whole.weight, options.methodThreshold)) continue;
    const stale = doubtsOf(document, entry) !== null;
    const { shares, explanation } = textsOf(facts, whole, metric.id);
    candidates.push({
      kind: declaration.kind === 'lambda' ? 'lambda' : 'method',
      line: lineOf(outline, declaration.nameSpan.start),
      declaration: declaration.row,
      weight: total.weight,
      heat: whole.weight > 0 ? total.weight / whole.weight : 0,
      stale,
      text: stale ? `~${shares}` : shares,
      name: '',
      explanation: `${titleOf(declaration)}: ${explanation}`,
    });
  }
  return candidates;
}

type MethodTexts = { readonly shares: string; readonly explanation: string };

/** Facts are worked out once and remembered, and so are the texts, which do not depend on the file either. */
const textsOfFacts = new WeakMap<MethodFacts, MethodTexts>();

function textsOf(facts: MethodFacts, whole: Amount, metric: string): MethodTexts {
  const known = textsOfFacts.get(facts);
  if (known !== undefined) return known;
  const { total, self } = facts;
  const share: Share = { part: total.weight, whole: whole.weight, samples: total.count };
  const selfShare: Share = { part: self.weight, whole: total.weight, samples: self.count };
  const showsSelf = reaches(self.weight, total.weight, SMALLEST_SELF);
  const made: MethodTexts = {
    shares: `${shareInHint(share)}${showsSelf ? ` · self ${shareInHint(selfShare)}` : ''}`,
    explanation: `${shareWithCounts(share, whole.count)} samples of ${metric}; ${selfText(selfShare)}`,
  };
  textsOfFacts.set(facts, made);
  return made;
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
      return name;
  }
}

function selfText(share: Share): string {
  if (share.samples === 0) return 'never itself running';
  return `itself running in ${shareInProse(share)} of those (${samplesText(share.samples)})`;
}
