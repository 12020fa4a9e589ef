// Writes hints in the form that a user chose: words, ASCII, the word-sized graphic, or a template.

import { joined, printable } from '../../base/printable.ts';
import { type ComparedShare, changeText } from '../../capabilities/compare/door.ts';
import type { CodeState } from '../facts/code-state.ts';
import type { WordGraphic } from '../facts/word-graphic.ts';
import { groupDigits, type PartOfWhole, reaches, samplesText, shareInHint } from '../text/format-share.ts';

type HintFormat =
  | { readonly kind: 'default' | 'ascii' | 'verbose' }
  | { readonly kind: 'template'; readonly template: string };

/** The parts that a method hint can have. */
export type MethodWords = {
  /** Of all samples. */
  readonly total: PartOfWhole;
  /** Of all samples, too. */
  readonly self: PartOfWhole;
  /** Marked with `~`. */
  readonly isDoubtful: boolean;
  readonly state: CodeState['name'];
  /** null without a baseline. */
  readonly change: ComparedShare | null;
  /** null where the form does not need it. */
  readonly graphic: WordGraphic | null;
};

/** Share of everything below which self time is left out. */
const SMALLEST_SELF = 0.001;
/** Share of the method below which a caller or callee has no arrow, and a kind of threads no square. */
const SMALLEST_ARROW = 0.1;
const SMALLEST_SQUARE = 0.05;
const BARS = '▁▂▃▄▅▆▇█';

/** The form that a setting names; text without a placeholder that is no form's name is taken for the default. */
export function hintFormat(setting: string | null): HintFormat {
  if (setting === 'ascii' || setting === 'verbose') return { kind: setting };
  return setting?.includes('${') === true ? { kind: 'template', template: setting } : { kind: 'default' };
}

/** Whether method hints in this form say something of callers, callees or threads. */
export function needsGraphic(format: HintFormat): boolean {
  if (format.kind === 'template') return /\$\{(?:callers|callees|threads)\}/.test(format.template);
  return format.kind === 'verbose';
}

/** The text of a method hint; empty where a template makes nothing of it. */
export function methodText(words: MethodWords, format: HintFormat): string {
  switch (format.kind) {
    case 'template':
      return templateText(words, format.template);
    case 'verbose':
      return graphicText(words);
    default:
      return `${markedShare(words)}${besideShare(words, format)}`;
  }
}

function markedShare({ total, isDoubtful }: MethodWords): string {
  return `${isDoubtful ? '~' : ''}${shareInHint(total)}`;
}

function besideShare({ state, change, self }: MethodWords, format: HintFormat): string {
  if (state === 'changed') return ' · changed';
  if (change !== null) return ` ${changeInHint(change, format)}`;
  return showsSelf(self) ? ` · self ${shareInHint(self)}` : '';
}

function showsSelf({ part, whole }: PartOfWhole): boolean {
  return reaches(part, whole, SMALLEST_SELF);
}

function graphicText(words: MethodWords): string {
  const { total, state, change, self, graphic } = words;
  const arrows = (arrow: string, shares: readonly number[]) =>
    arrow.repeat(shares.filter(share => share >= SMALLEST_ARROW).length);
  const squares = graphic?.threads.groups.filter(({ share }) => share >= SMALLEST_SQUARE).length ?? 0;
  const parts = [
    arrows('◂', graphic?.callers.largest ?? []),
    markedShare(words),
    state === 'changed' ? 'changed' : '',
    change === null ? '' : changeText(change),
    showsSelf(self) ? `${barOf(self.part, total.part)} self ${shareInHint(self)}` : '',
    arrows('▸', graphic?.callees.largest ?? []),
    '▪'.repeat(squares),
  ];
  return joined(parts, ' ');
}

/** As high as the method's own part of its time. */
function barOf(self: number, total: number): string {
  return BARS[Math.min(BARS.length, Math.ceil((self / total) * BARS.length)) - 1] ?? '';
}

function templateText(words: MethodWords, template: string): string {
  const { total, self, state, change, graphic, isDoubtful } = words;
  const values: Readonly<Record<string, string>> = {
    share: shareInHint(total),
    self: shareInHint(self),
    count: groupDigits(total.samples),
    samples: samplesText(total.samples),
    state: state === 'unchanged' ? '' : state,
    change: change === null ? '' : changeText(change),
    callers: `${graphic?.callers.count ?? ''}`,
    callees: `${graphic?.callees.count ?? ''}`,
    threads: `${graphic?.threads.count ?? ''}`,
  };
  const filled = template.replaceAll(/\$\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : placeholder,
  );
  const text = filled.replaceAll(/\s+/g, ' ').trim();
  return text === '' || !isDoubtful ? text : `~${text}`;
}

/** The text between a call and the name of its target: `41% → `, verbose with a baseline `41% ↗ +9 → `. */
export function callText(share: PartOfWhole, change: ComparedShare | null, { kind }: HintFormat): string {
  const moved = kind === 'verbose' && change !== null ? ` ${changeText(change)}` : '';
  return `${shareInHint(share)}${moved} → `;
}

/** `9% here`. */
export function lineText(share: PartOfWhole): string {
  return `${shareInHint(share)} here`;
}

/** `↗ +9`, in ASCII `^ +9`. */
export function changeInHint(change: ComparedShare, { kind }: HintFormat): string {
  const text = changeText(change);
  if (kind !== 'ascii') return text;
  return text.replace(/[↗↑]/, '^').replace(/[↘↓]/, 'v');
}

const IN_ASCII: Readonly<Record<string, string>> = { '·': '-', '→': '->', '…': '...', '−': '-', '±': '+-' };

/** A hint as it may stand on a screen: see `printable`; nothing in it is beyond ASCII where that is asked. */
export function shownIn(text: string, { kind }: HintFormat): string {
  const safe = printable(text.replaceAll('\t', ' '));
  return kind === 'ascii' ? safe.replaceAll(/[^ -~]/gu, char => IN_ASCII[char] ?? '?') : safe;
}

/** `text` and a name in at most `room` characters: the name is shortened, the text only where the name has no room at all. */
export function fitted(text: string, name: string, room: number, format: HintFormat): string {
  const ellipsis = format.kind === 'ascii' ? '...' : '…';
  if (text.length + name.length <= room) return text + name;
  const fixed = text.length + ellipsis.length < room ? text.length : 0;
  // A surrogate pair is never cut.
  const kept = (text + name).slice(0, Math.max(fixed, room - ellipsis.length)).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}${ellipsis}`.slice(0, Math.max(0, room));
}
