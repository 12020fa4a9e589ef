// The expected screens of a terminal editor with the sample's second version: each line's text and its hint, as loaded, and after edits above and inside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectedHint, ExpectedHints } from '../oracle/oracle.ts';
import { sampleSources } from '../oracle/oracle.ts';

/** A line that changes what its method does. */
export const PROBE = '        int insituProbe = 0;';
/** Three lines that change nothing. */
export const ABOVE = ['// one', '', '/* two */'];

export type ShopFile = {
  /** From the root of the repository. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly hints: readonly ExpectedHint[];
};

/** All files that carry hints, the one with most of them first. */
export function filesWithHints({ hints }: ExpectedHints): ShopFile[] {
  return [...Map.groupBy(hints, ({ file }) => file)]
    .map(([file, ofFile]) => ({
      path: `src/main/java/${file}`,
      lines: readFileSync(join(sampleSources('v2'), file), 'utf8')
        .replace(/\n$/, '')
        .split('\n'),
      hints: ofFile,
    }))
    .sort((a, b) => b.hints.length - a.hints.length);
}

/** The text of each line with its hint behind it. */
export function screenOf(lines: readonly string[], hints: readonly Pick<ExpectedHint, 'line' | 'text'>[]): string[] {
  const byLine = new Map(hints.map(({ line, text }) => [line, text]));
  return lines.map((text, index) => withHint(text, byLine.get(index + 1)));
}

function withHint(text: string, hint: string | undefined): string {
  return (hint === undefined ? text : `${text}  ${hint}`).replace(/\s+/g, ' ').trim();
}

/** The first method that has its own lines and one hint in its head: where a line inside marks it as changed. */
export function methodToChange({ lines, hints }: ShopFile): ExpectedHint {
  const found = hints.find(({ line, kind, method, others }) => {
    const text = lines[line - 1]!;
    return kind === 'method' && others === 0 && !/<(cl)?init>/.test(method) && /^ {4}\S.*\{$/.test(text);
  });
  if (found === undefined) throw new Error('no method of the file can be changed alone');
  return found;
}

/** The screen after the probe was written below the head of `changed`. */
export function screenWithProbe({ lines, hints }: ShopFile, changed: ExpectedHint): string[] {
  const text = [...lines.slice(0, changed.line), PROBE, ...lines.slice(changed.line)];
  const moved = hints.map(hint => {
    if (hint === changed) return { line: hint.line, text: `~${hint.share} · changed` };
    return hint.line < changed.line ? hint : { line: hint.line + 1, text: hint.text };
  });
  return screenOf(text, moved);
}

/** The screen after lines that change nothing were written above everything. */
export function screenWithAbove({ lines, hints }: ShopFile): string[] {
  const moved = hints.map(({ line, text }) => ({ line: line + ABOVE.length, text }));
  return screenOf([...ABOVE, ...lines], moved);
}

/** Whether the top of a screen shows those lines. The number of blanks between words is not looked at. */
export function shows(screen: readonly string[], wanted: readonly string[], from = 0): boolean {
  return wanted.every((line, row) => (screen[row + from] ?? '').replace(/\s+/g, ' ').trim() === line);
}
