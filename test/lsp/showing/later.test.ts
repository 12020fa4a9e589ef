// Tests work that an answer waits for, but not long: what is told when it ends late, brings nothing new or fails.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Later } from '../../../server/lsp/showing/later.ts';

const lines: string[] = [];
const log = { trace: () => {}, error: (line: string) => lines.push(line) };
const SUBJECT = 'hints a';

let later: Later;

beforeEach(() => {
  lines.splice(0);
  later = new Later(log);
});

/** Work that ends when the test says so. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  return { work: vi.fn(() => promise), resolve, reject };
}

describe('work that an answer waits for', () => {
  test('is not told about when it ends in time', async () => {
    const done = vi.fn();
    await later.within(60_000, SUBJECT, async () => true, done);
    expect(done).not.toHaveBeenCalled();
  });

  test('is told about once it ends late with something new', async () => {
    const { work, resolve } = heldWork();
    const done = vi.fn();
    await later.within(1, SUBJECT, work, done);
    expect(done).not.toHaveBeenCalled();
    resolve(true);
    await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  });

  test('is not told about when it ends late with nothing new', async () => {
    const [nothing, next] = [heldWork(), heldWork()];
    const done = vi.fn();
    await later.within(1, SUBJECT, nothing.work, done);
    nothing.resolve(false);
    next.resolve(true);
    await later.within(60_000, SUBJECT, next.work, vi.fn());
    expect(done).not.toHaveBeenCalled();
  });

  test('follows the work of the same subject, and is done as well', async () => {
    const [first, second] = [heldWork(), heldWork()];
    const done = vi.fn();
    await later.within(1, SUBJECT, first.work, vi.fn());
    await later.within(1, SUBJECT, second.work, done);
    expect(second.work).not.toHaveBeenCalled();
    first.resolve(true);
    await vi.waitFor(() => expect(second.work).toHaveBeenCalledOnce());
    second.resolve(true);
    await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  });

  test('does not wait for the work of another subject', async () => {
    await later.within(1, 'hints b', heldWork().work, vi.fn());
    const work = vi.fn(async () => true);
    await later.within(60_000, SUBJECT, work, vi.fn());
    expect(work).toHaveBeenCalledOnce();
  });

  test('that fails is logged, is not told about, and lets the next begin', async () => {
    const { work, reject } = heldWork();
    const done = vi.fn();
    await later.within(1, SUBJECT, work, done);
    reject(new Error('broken'));
    const next = vi.fn(async () => true);
    await later.within(60_000, SUBJECT, next, vi.fn());
    expect(lines).toEqual(['internal error: broken']);
    expect(next).toHaveBeenCalledOnce();
    expect(done).not.toHaveBeenCalled();
  });
});
