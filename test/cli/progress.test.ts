// Progress is drawn with the name of a file as it is safe to show.
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { outputTo } from '../../server/base/terminal.ts';
import { startProgress } from '../../server/cli/progress.ts';
import { FORGING, LONG } from '../support/terminals/hostile-text.ts';

afterEach(() => vi.useRealTimers());

function drawn(label: string): string {
  vi.useFakeTimers({ toFake: ['performance'] });
  const screen = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 10_000 });
  const nothing = () => {};
  const output = outputTo({ out: nothing, err: nothing, drawn: screen, isTerminal: true, colour: true });
  const progress = startProgress(output, label);
  progress.update(1, 4);
  expect(screen.read()).toBeNull();
  vi.advanceTimersByTime(2_000);
  progress.update(2, 4);
  const text = String(screen.read());
  progress.stop();
  return text;
}

test('a name neither steers the terminal nor is taken for a part of the bar', () => {
  expect(drawn('orders.jfr')).toMatch(/orders\.jfr .*50%/);
  const text = drawn(`${FORGING}{percentage}`);
  expect(text).toContain('\\u000aFORGED: all is well\\u000a{percentage} ');
  expect(text).not.toContain('\u202e');
  expect(drawn(LONG).length).toBeLessThan(1_000);
});
