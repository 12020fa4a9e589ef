// Tests what decides when something is said to the client: the request wrapper, slices, refreshes, progress and the first hold.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CancellationTokenSource,
  ResponseError,
  type WorkDoneProgressServerReporter,
} from 'vscode-languageserver/node';
import { Cancelled } from '../../../server/base/pause.ts';
import { inSlices, wrapRequest } from '../../../server/lsp/request.ts';
import { LoadProgressShower } from '../../../server/lsp/showing/load-progress.ts';
import { Readiness } from '../../../server/lsp/showing/readiness.ts';
import { HintRefresher } from '../../../server/lsp/showing/refresher.ts';
import type { Source } from '../../../server/workspace/data/source.ts';

describe('a request', () => {
  const lines: string[] = [];
  const log = { trace: () => {}, error: (line: string) => lines.push(line) };
  beforeEach(() => void lines.splice(0));

  test('that was cancelled before its turn does no work', async () => {
    const work = vi.fn();
    const source = new CancellationTokenSource();
    const answer = wrapRequest('x', work, log)(null, source.token);
    source.cancel();
    expect(await answer).toBeInstanceOf(ResponseError);
    expect(work).not.toHaveBeenCalled();
  });

  test('that was cancelled meanwhile is not answered', async () => {
    const source = new CancellationTokenSource();
    const answer = wrapRequest('x', () => source.cancel(), log)(null, source.token);
    expect(await answer).toBeInstanceOf(ResponseError);
  });

  test('whose question was cancelled is not answered either', async () => {
    const work = () => Promise.reject(new Cancelled());
    expect(await wrapRequest('x', work, log)(null, new CancellationTokenSource().token)).toBeInstanceOf(ResponseError);
    expect(lines).toEqual([]);
  });

  test('that fails answers nothing and leaves one line', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    expect(await wrapRequest('x', fail, log)(null, new CancellationTokenSource().token)).toBeNull();
    expect(lines).toEqual(['x failed: broken']);
  });

  test('in slices lets others run, and stops when cancelled', async () => {
    let steps = 0;
    function* work(): Generator<void> {
      for (; steps < 100; steps++) {
        for (const end = performance.now() + 1; performance.now() < end; );
        yield;
      }
    }
    const source = new CancellationTokenSource();
    setTimeout(() => source.cancel(), 25);
    await expect(inSlices(work(), source.token)).rejects.toThrow(Cancelled);
    expect(steps).toBeLessThan(100);
    await inSlices([], source.token);
  });
});

describe('with a clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('changes are told once, and once more after the first answer', () => {
    const sendRequest = vi.fn(() => Promise.resolve());
    const refresher = new HintRefresher({ sendRequest }, () => ({ hints: true, lenses: false }));
    refresher.changed();
    refresher.changed();
    vi.advanceTimersByTime(1_000);
    expect(sendRequest).toHaveBeenCalledTimes(1);
    refresher.answered();
    vi.advanceTimersByTime(299);
    expect(sendRequest).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2);
    expect(sendRequest).toHaveBeenCalledTimes(2);
    refresher.answered();
    vi.advanceTimersByTime(1_000);
    expect(sendRequest).toHaveBeenCalledTimes(2);
  });

  test('lenses are told of what changes hints, and of what is theirs alone', () => {
    const sendRequest = vi.fn((_method: string) => Promise.resolve());
    const refresher = new HintRefresher({ sendRequest }, () => ({ hints: true, lenses: true }));
    refresher.changed();
    vi.advanceTimersByTime(1_000);
    expect(sendRequest.mock.calls.flat()).toEqual(['workspace/inlayHint/refresh', 'workspace/codeLens/refresh']);
    refresher.lensesChanged();
    refresher.lensesChanged();
    refresher.answered();
    vi.advanceTimersByTime(1_000);
    expect(sendRequest.mock.calls.flat().slice(2)).toEqual([
      'workspace/codeLens/refresh',
      'workspace/inlayHint/refresh',
    ]);
  });

  test('nothing is told to a client that cannot refresh, or after the end', () => {
    const sendRequest = vi.fn(() => Promise.reject(new Error('gone')));
    new HintRefresher({ sendRequest }, () => ({ hints: false, lenses: false })).changed();
    const refresher = new HintRefresher({ sendRequest }, () => ({ hints: true, lenses: false }));
    refresher.changed();
    refresher.close();
    vi.advanceTimersByTime(1_000);
    expect(sendRequest).not.toHaveBeenCalled();
  });

  test('the first answer is held until loads end, time is up or it is cancelled', async () => {
    const idle = Promise.withResolvers<void>();
    const source = new CancellationTokenSource();
    const held: string[] = [];
    const hold = (name: string, needed: boolean, token = new CancellationTokenSource().token) =>
      new Readiness(
        () => needed,
        () => idle.promise,
      )
        .beforeHints('file:///A.java', token)
        .then(() => held.push(name));
    void hold('not needed', false);
    void hold('cancelled', true, source.token);
    void hold('late', true);
    await vi.advanceTimersByTimeAsync(10);
    expect(held).toEqual(['not needed']);
    source.cancel();
    await vi.advanceTimersByTimeAsync(10);
    expect(held).toEqual(['not needed', 'cancelled']);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(held).toEqual(['not needed', 'cancelled', 'late']);
    void hold('loaded', true);
    idle.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(held.at(-1)).toBe('loaded');
  });

  test('a second request for a file does not wait again, until other data are wanted or its needs have come', async () => {
    const waits: PromiseWithResolvers<void>[] = [];
    const whenReady = () => {
      waits.push(Promise.withResolvers());
      return waits.at(-1)!.promise;
    };
    const readiness = new Readiness(() => true, whenReady);
    const { token } = new CancellationTokenSource();
    /** How long a request is held, in steps of 500 ms. */
    const held = async () => {
      let millis: number | null = null;
      const from = performance.now();
      void readiness.beforeHints('file:///A.java', token).then(() => (millis ??= performance.now() - from));
      for (let step = 0; step < 6 && millis === null; step++) await vi.advanceTimersByTimeAsync(step === 0 ? 0 : 500);
      return millis;
    };
    expect(await held()).toBe(2_500);
    expect(await held()).toBe(0);
    readiness.changed();
    expect(await held()).toBe(2_500);
    expect(await held()).toBe(0);
    for (const { resolve } of waits) resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(await held()).toBe(2_500);
  });

  test('who chose for a file waits for what that file needs, whatever else is being read', async () => {
    const [own, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const readiness = new Readiness(
      () => true,
      uri => (uri === null ? all : own).promise,
    );
    const ended: string[] = [];
    const { token } = new CancellationTokenSource();
    void readiness.untilLoaded(token, 'file:///A.java').then(() => ended.push('file'));
    void readiness.untilLoaded(token).then(() => ended.push('everything'));
    await vi.advanceTimersByTimeAsync(10);
    expect(ended).toEqual([]);
    own.resolve();
    await vi.advanceTimersByTimeAsync(10);
    expect(ended).toEqual(['file']);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(ended).toEqual(['file', 'everything']);
  });
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const wish = { store: '/s', project: 'p', program: 'x', version: null, root: '/r' };
  const source: Source = { wish, selection: {} };

  function shower() {
    const said: string[] = [];
    const stopping = new CancellationTokenSource();
    const reporter = {
      begin: (title: string, percentage?: number) => void said.push(`begin ${title} ${percentage}`),
      report: (percentage: number | string, message?: string) => void said.push(`report ${percentage} ${message}`),
      done: () => void said.push('done'),
      token: stopping.token,
    } as WorkDoneProgressServerReporter;
    const ready = Promise.withResolvers<WorkDoneProgressServerReporter>();
    const shown = new LoadProgressShower({ createWorkDoneProgress: () => ready.promise });
    return {
      shown,
      said,
      stopping,
      makeRoom: () => ready.resolve(reporter),
      refuse: () => ready.reject(new Error('no')),
    };
  }

  test('begins when a load takes long, reports, ends, and can be cancelled', async () => {
    const { shown, said, stopping, makeRoom } = shower();
    const cancel = vi.fn();
    shown.started(source, cancel);
    shown.progress(source, { done: 1, all: 4 });
    makeRoom();
    await vi.advanceTimersByTimeAsync(300);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    shown.progress(source, { done: 2, all: 4 });
    stopping.cancel();
    shown.ended(source);
    expect(said).toEqual(['begin insitu: reading snapshots 25', 'report 50 2 of 4', 'done']);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('of a short load is not shown, whatever the client is asked later', async () => {
    const { shown, said, makeRoom } = shower();
    makeRoom();
    shown.started(source, () => {});
    shown.progress(source, { done: 1, all: 1 });
    shown.ended(source);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([]);
  });

  test('of a load that ended before there was room begins and ends', async () => {
    const { shown, said, makeRoom } = shower();
    shown.started(source, () => {});
    await vi.advanceTimersByTimeAsync(500);
    shown.ended(source);
    makeRoom();
    await vi.advanceTimersByTimeAsync(0);
    expect(said).toEqual(['begin insitu: reading snapshots 100', 'done']);
  });

  test('that a client refuses is not missed', async () => {
    const { shown, said, refuse } = shower();
    shown.started(source, () => {});
    await vi.advanceTimersByTimeAsync(500);
    refuse();
    await vi.advanceTimersByTimeAsync(0);
    shown.progress(source, { done: 1, all: 2 });
    shown.ended(source);
    expect(said).toEqual([]);
  });
});
