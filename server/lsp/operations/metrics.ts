// The operation that gives all numbers of a document, for clients that draw them themselves.

import type { Declaration } from '../../../grammar/outline.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { methodName } from '../../cct/method-names.ts';
import { metrics as metricsAnswer } from '../../features/answers/metrics.ts';
import { changeOf, shareOf } from '../../features/answers/vocabulary.ts';
import { rangeOf } from '../../features/calls/locate.ts';
import { callChange } from '../../features/compare/door.ts';
import { type DeclarationNumbers, documentNumbers, metricNeeds } from '../../features/document-metrics.ts';
import { stateOf } from '../../features/facts/code-state.ts';
import type { CallInText } from '../../features/hints/call-hints.ts';
import { declarationChange } from '../../features/hints/method-hints.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { gather, reachOf } from '../gather.ts';
import type { EditorAnswers } from '../protocol.ts';
import { ask } from './about.ts';
import { changeInEditor } from './messages.ts';
import { sessionOperation } from './operation.ts';

type DocumentMetrics = EditorAnswers['metrics'];
type DeclarationMetrics = DocumentMetrics['declarations'][number];

export const metrics = sessionOperation(metricsAnswer, {
  /** null while there are no data, and for documents that are not open. */
  answer: async (context, { textDocument, range }): Promise<DocumentMetrics | null> => {
    const { document, data, baseline } = await ask(context, { textDocument });
    if (document === null || data === null) return null;
    const version = context.session.versionOf(textDocument.uri);
    const lines = range === undefined ? null : { first: range.start.line + 1, last: range.end.line + 1 };
    if (!(await gather(context.session, metricNeeds(document, lines), context.token))) return null;
    const { turn } = reachOf(context.session, context.token);
    const declarations: DeclarationMetrics[] = [];
    for (const each of documentNumbers(document, lines)) {
      await turn();
      declarations.push(declarationMetrics(document, data, each, baseline));
    }
    const { id, unit } = data.metric;
    return { version, metric: { id, unit }, declarations };
  },
});

function declarationMetrics(
  document: DocumentView,
  data: LoadedData,
  { declaration, entry, title, facts, samples, graphic, calls, lines }: DeclarationNumbers,
  baseline: Baseline | null,
): DeclarationMetrics {
  const { outline } = document;
  const change = declarationChange(data, entry, facts, baseline);
  const shown = calls.map(({ call }) => call);
  const changeOfCall = (call: CallInText) => {
    const found = baseline === null ? null : callChange(data, entry, shown, call, baseline);
    return found === null ? null : changeInEditor(changeOf(found));
  };
  return {
    range: rangeOf(outline, declaration.nameSpan),
    fullRange: rangeOf(outline, declaration.span),
    kind: kindOf(declaration),
    title,
    state: stateOf(document, declaration.row).name,
    methods: entry.methods.map(row => methodName(data.profile.methods, row)),
    total: shareOf(data, facts.total),
    self: shareOf(data, facts.self),
    selfOfMethod: shareOf(data, facts.self, facts.total, samples),
    change: change === null ? null : changeInEditor(changeOf(change)),
    ...graphic,
    calls: calls.map(({ call, target }) => ({
      line: call.line - 1,
      share: shareOf(data, call.amount, facts.methods, samples),
      target,
      targets: call.targets.map(row => methodName(data.profile.methods, row)),
      change: changeOfCall(call),
    })),
    lines: lines.map(({ line, amount }) => ({
      line: line - 1,
      share: shareOf(data, amount, facts.methods, samples),
    })),
  };
}

function kindOf({ kind }: Declaration): DeclarationMetrics['kind'] {
  if (kind === 'lambda') return 'lambda';
  return kind === 'method' || kind === 'constructor' || kind === 'compactConstructor' ? 'method' : 'initializer';
}
