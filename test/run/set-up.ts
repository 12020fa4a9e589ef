// Vitest's set-up of each test file: how often properties are run, and that waits are as patient as the machine is crowded.
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { patient } from '../support/patience.ts';
import { DEFAULT_RUNS, runs, seed } from '../support/runs.ts';

fc.configureGlobal({ numRuns: runs(DEFAULT_RUNS), ...(seed === undefined ? {} : { seed }) });

/** Files that share a process are set up in it one after the other. */
const DONE = Symbol.for('insitu.patient');
/** Vitest's own limits of waits, in milliseconds. */
const WAITED = 1000;

if (!(DONE in globalThis)) {
  Object.assign(globalThis, { [DONE]: true });
  const { poll } = expect;
  expect.poll = (ask, { timeout = WAITED, ...options } = {}) => poll(ask, { ...options, timeout: patient(timeout) });
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (look, options) => waitFor(look, patientOf(options));
  vi.waitUntil = (look, options) => waitUntil(look, patientOf(options));
}

type Wait = { readonly timeout?: number; readonly interval?: number };

function patientOf(options: number | Wait = {}): Wait {
  const { timeout = WAITED, ...rest } = typeof options === 'number' ? { timeout: options } : options;
  return { ...rest, timeout: patient(timeout) };
}
