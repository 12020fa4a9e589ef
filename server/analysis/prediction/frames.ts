// One version of an edited method, with the code of methods of its file taken in where calls have moved into them or out of them.
import type { Statement } from '../../../grammar/statement.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import { Caller, type Known } from './called.ts';
import { Flow, type PlacedCall, type Reading } from './flow.ts';
import { type MethodCode, readMethod, type WrittenMethod } from './method-code.ts';
import type { Place } from './places.ts';

/** The code of a method where it runs: the edited method itself, or one that it calls. */
type Frame = {
  readonly method: WrittenMethod;
  readonly flow: Flow;
  readonly caller: Caller;
  /** Runs of the method that were timed; null without any. */
  readonly own: MethodResponseTimes | null;
  readonly entry: Place;
  /** The call of the edited method by which its code runs; null for the edited method itself. */
  readonly from: PlacedCall | null;
  readonly depth: number;
  /** Where the text of the edited method stands in its file. */
  readonly root: Pick<MethodCode, 'offset' | 'lines'>;
};

/** A call of the method or of the code that was taken in. */
export type Run = {
  readonly frame: Frame;
  readonly call: PlacedCall;
  /** Equal for calls of the same method. */
  readonly key: string;
};

/** The text of a file with its methods. */
export type Version = {
  readonly text: string;
  readonly methods: readonly WrittenMethod[];
};

/** Methods in methods that are taken in, and the calls of all of them together. */
const MOST_DEPTH = 5;
const MOST_RUNS = 5_000;
/** Characters: a longer method is not taken in. */
const LONGEST = 20_000;

export class VersionOfMethod {
  readonly #known: Known;
  readonly #version: Version;
  readonly #reading: Reading;
  /** Codes of the methods of the version, as far as they were read. */
  readonly #codes = new Map<WrittenMethod, MethodCode>();
  #runs: Run[];
  readonly frames: Frame[];

  constructor(
    known: Known,
    version: Version,
    reading: Reading,
    root: Pick<Frame, 'method' | 'caller' | 'own' | 'flow'>,
  ) {
    this.#known = known;
    this.#version = version;
    this.#reading = reading;
    const frame: Frame = {
      ...root,
      entry: reading.places.root,
      from: null,
      depth: 0,
      root: root.flow.code,
    };
    this.frames = [frame];
    this.#runs = this.#runsOf(frame);
  }

  get root(): Frame {
    return this.frames[0]!;
  }

  get runs(): readonly Run[] {
    return this.#runs;
  }

  #runsOf(frame: Frame): Run[] {
    const { caller, flow } = frame;
    return flow.calls.map(call => ({ frame, call, key: caller.keyOf(call.statement, flow.code.text) }));
  }

  /** The method of the file that a call means; null where that is none, several, or one whose code has been entered already. */
  methodOf({ call: { statement }, frame }: Run): WrittenMethod | null {
    const { name, kind, argumentCount } = statement.call!;
    const receiver = statement.parts.find(({ role }) => role === 'receiver');
    const { text } = frame.flow.code;
    const isOwn = receiver === undefined || text.slice(receiver.span.start, receiver.span.end) === 'this';
    if (kind !== 'call' || !isOwn) return null;
    const fits = this.#version.methods.filter(each => each.name === name && each.parameters === argumentCount);
    const [method] = fits;
    if (fits.length !== 1 || method === undefined || method.span.end - method.span.start > LONGEST) return null;
    return this.#isOpen(method, frame) ? null : method;
  }

  #isOpen({ span }: WrittenMethod, frame: Frame): boolean {
    const isSame = (other: WrittenMethod) => other.span.start === span.start;
    return this.frames.some(each => isSame(each.method) && (each === frame || each.depth < frame.depth));
  }

  /** Names and numbers of arguments of all calls in a method. */
  namesIn(method: WrittenMethod): ReadonlySet<string> {
    return namesOf(this.codeOf(method).statements);
  }

  codeOf(method: WrittenMethod): MethodCode {
    const code = this.#codes.get(method) ?? readMethod(this.#version.text, method);
    this.#codes.set(method, code);
    return code;
  }

  /** Puts the code of a method in place of a call of it; false where that is too deep, or too much. */
  takeIn(run: Run, method: WrittenMethod): boolean {
    const { frame, call } = run;
    const code = this.codeOf(method);
    if (frame.depth >= MOST_DEPTH || this.#runs.length + code.words.length / 4 > MOST_RUNS) return false;
    const given = call.statement.parts
      .filter(({ role }) => role === 'argument')
      .map(({ span }) => frame.flow.expressions.argumentOf(span));
    const own = method.rows.flatMap(row => this.#known.timed.of(row) ?? [])[0] ?? null;
    const inner: Frame = {
      ...{ method, own, entry: call.place, depth: frame.depth + 1 },
      flow: new Flow(code, this.#reading, call.place, given),
      caller: new Caller(this.#known, [...method.rows, ...this.root.method.rows], code),
      from: frame.from ?? call,
      root: frame.root,
    };
    this.frames.push(inner);
    this.#runs.splice(this.#runs.indexOf(run), 1, ...this.#runsOf(inner));
    return true;
  }

  /** Marks the present state, before codes are taken in; the result returns to it. */
  mark(): () => void {
    const [runs, frames] = [this.#runs.slice(), this.frames.length];
    return () => {
      this.#runs = runs;
      this.frames.length = frames;
    };
  }
}

/** `find/1`, of calls at any depth. */
function namesOf(statements: readonly Statement[]): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [...statements];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.call !== null) found.add(nameOf(next));
    for (const { statements: inner } of next.parts) for (const each of inner) pending.push(each);
  }
  return found;
}

export function nameOf({ call }: Statement): string {
  return `${call!.name}/${call!.argumentCount}`;
}

/** Whether calls of the same method were timed. */
export function isTimed({ key }: Run): boolean {
  return key.startsWith('rows ');
}
