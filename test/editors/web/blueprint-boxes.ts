// Boxes of the blueprint as Chromium has drawn them, and traces of executions that are compared.
import type { Page } from 'playwright-core';

const MILLI = 1_000_000;

/** A context with the milliseconds that it runs itself, executed once for each of `times`. */
export type Context = {
  readonly name: string;
  readonly millis: number;
  readonly times?: number;
  readonly calls?: readonly Context[];
};

/** One trace of Kieker: every execution with its place in the order and its depth. */
export function kiekerLog(root: Context): string {
  const lines = [
    '$0;1700000000000000000;kieker.common.record.misc.KiekerMetadataRecord;1.15.2;K;h;1;false;0;NANOSECONDS;1',
  ];
  let [clock, order] = [1_700_000_000_000_000_000n, 0];
  const run = ({ name, millis, times = 1, calls = [] }: Context, depth: number): void => {
    for (let time = 0; time < times; time++) {
      const [began, place] = [clock, order++];
      clock += BigInt((millis * MILLI) / times);
      for (const call of calls) run(call, depth + 1);
      lines.push(`$1;${clock};public void a.${name}.run();<no-session-id>;1;${began};${clock};h;${place};${depth}`);
    }
  };
  run(root, 0);
  return `${lines.join('\n')}\n`;
}

export type Drawn = {
  /** Its row in the data, and that of its caller. */
  readonly row: string;
  readonly above: string;
  readonly label: string;
  readonly parent: string;
  readonly kind: string;
  readonly hidden: number;
  readonly fill: string;
  readonly border: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Boxes by their rows, as the page has drawn them. */
export function boxes(page: Page): Promise<Drawn[]> {
  return page.locator('.boxes g[data-row]').evaluateAll(found => {
    const labels = new Map(found.map(each => [each.getAttribute('data-row'), each.querySelector('text')?.textContent]));
    return found.map(each => {
      const box = each.querySelector('rect.box');
      const number = (name: string): number => Number(box?.getAttribute(name));
      return {
        row: each.getAttribute('data-row') ?? '',
        above: each.getAttribute('data-parent') ?? '',
        label: each.querySelector('text')?.textContent ?? '',
        parent: labels.get(each.getAttribute('data-parent')) ?? '',
        kind: each.getAttribute('data-kind') ?? '',
        hidden: Number(each.getAttribute('data-hidden')),
        fill: box?.getAttribute('fill') ?? '',
        border: Number(each.querySelector('rect.border')?.getAttribute('stroke-width')),
        ...{ x: number('x'), y: number('y'), width: number('width'), height: number('height') },
      };
    });
  });
}
