// Turns hints into the protocol's type.

import type { Command, InlayHint, InlayHintLabelPart } from 'vscode-languageserver/node';
import type { FinalHint } from '../../features/hints/final-hints.ts';
import type { HintData } from '../protocol.ts';

/** Each hint has one label part with a plain tooltip: some clients show tooltips of parts only, and no client that of the hint alone. */
export function inlayHint({ line, character, text, tooltip, asks, facts }: FinalHint, uri: string): InlayHint {
  const label: InlayHintLabelPart = { value: text, tooltip, ...(asks !== null && { command: commandOf(asks, uri) }) };
  const data: HintData = facts;
  return { position: { line: line - 1, character }, label: [label], paddingLeft: true, data };
}

function commandOf({ question, at }: NonNullable<FinalHint['asks']>, uri: string): Command {
  const place = { textDocument: { uri }, position: at };
  const title = question === 'slowerCallers' ? 'insitu: slower callers' : `insitu: ${question}`;
  return { title, command: `insitu.${question}`, arguments: [place] };
}
