// Reads objects of one repository through one `git cat-file --batch` that stays, so that a text costs no new process.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Problem } from '../../base/problem.ts';
import { FILE_BYTES_MAX } from '../source-walk.ts';
import { type GitSurroundings, LOOKUP_LIMIT_MILLIS, noteHang, startGit } from './run-git.ts';

/** `missing` is also what cannot be asked for: names with a line break, ambiguous ones. */
export type GitObject =
  | { readonly kind: 'blob' | 'commit' | 'tree' | 'tag'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'tooLarge'; readonly size: number }
  | { readonly kind: 'failed'; readonly problem: Problem };

type Request = {
  readonly name: string;
  readonly answer: (object: GitObject) => void;
  /** Asked of an earlier process, which ended without an answer. */
  isRetried: boolean;
};

type ReaderOptions = {
  /** Larger objects are skipped; as large as files that are read when absent. */
  readonly largestBytes?: number;
  /** A process that says nothing for so long while it is asked is ended. */
  readonly limitMillis?: number;
};

/** Starts git when first asked, starts it once more when it dies, and keeps no process alive while nothing is asked. */
export class ObjectReader {
  readonly #folder: string;
  readonly #surroundings: GitSurroundings;
  readonly #largestBytes: number;
  readonly #limitMillis: number;
  #process: ChildProcessWithoutNullStreams | null = null;
  /** Asked and not answered, in order. */
  #waiting: Request[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(folder: string, surroundings: GitSurroundings, options: ReaderOptions = {}) {
    this.#folder = folder;
    this.#surroundings = surroundings;
    this.#largestBytes = options.largestBytes ?? FILE_BYTES_MAX;
    this.#limitMillis = options.limitMillis ?? surroundings.limitMillis ?? LOOKUP_LIMIT_MILLIS;
  }

  /** @param name what git-rev-parse(1) understands: a hash, or `<commit>:<path>`. */
  read(name: string): Promise<GitObject> {
    if (this.#isClosed || /[\n\0]/.test(name)) return Promise.resolve({ kind: 'missing' });
    const { promise, resolve } = Promise.withResolvers<GitObject>();
    this.#ask({ name, answer: resolve, isRetried: false });
    return promise;
  }

  /** Ends the process; what was asked and what will be asked is missing. */
  close(): void {
    this.#isClosed = true;
    this.#end();
    for (const { answer } of this.#waiting.splice(0)) answer({ kind: 'missing' });
  }

  #ask(request: Request): void {
    const started = this.#process === null ? this.#start() : { child: this.#process };
    if (started.child === null) {
      request.answer({ kind: 'failed', problem: started.problem });
      return;
    }
    const running = started.child;
    this.#waiting.push(request);
    if (this.#waiting.length === 1) this.#await(running);
    running.stdin.write(`${request.name}\n`);
  }

  /** While something is asked the process counts as work to be done. */
  #await(running: ChildProcessWithoutNullStreams): void {
    running.ref();
    this.#rest();
    this.#timer = setTimeout(() => {
      noteHang(this.#folder);
      running.kill('SIGKILL');
    }, this.#limitMillis);
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #start(): ReturnType<typeof startGit> {
    const outcome = startGit(this.#folder, ['cat-file', '--batch'], this.#surroundings);
    if (outcome.child === null) return outcome;
    const started = outcome.child;
    this.#process = started;
    const parser = new BatchParser(this.#largestBytes);
    started.stdout.on('data', (chunk: Buffer) => {
      if (this.#process !== started) return;
      parser.push(chunk);
      for (let object = this.#next(parser); object !== null; object = this.#next(parser)) this.#answer(started, object);
    });
    let said = '';
    started.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(0, 300);
    });
    started.stdin.on('error', () => {});
    started.on('error', error => this.#ended(started, error.message));
    started.on('close', () => this.#ended(started, said.trim() || 'it ended'));
    for (const stream of [started.stdin, started.stdout, started.stderr]) unref(stream);
    return outcome;
  }

  #next(parser: BatchParser): GitObject | null {
    const first = this.#waiting[0];
    return first === undefined ? null : parser.take(first.name);
  }

  #answer(running: ChildProcessWithoutNullStreams, object: GitObject): void {
    const done = this.#waiting.shift();
    if (this.#waiting.length > 0) this.#await(running);
    else {
      this.#rest();
      running.unref();
    }
    done?.answer(object);
  }

  #ended(which: ChildProcessWithoutNullStreams, reason: string): void {
    if (this.#process !== which) return;
    this.#process = null;
    this.#rest();
    const left = this.#waiting.splice(0);
    for (const request of left) {
      if (request.isRetried)
        request.answer({ kind: 'failed', problem: this.#problem(`git gave no answer: ${reason}`) });
      else this.#ask({ ...request, isRetried: true });
    }
  }

  #end(): void {
    const running = this.#process;
    this.#process = null;
    this.#rest();
    running?.stdin.end();
    running?.kill('SIGKILL');
  }

  #problem(message: string): Problem {
    return { severity: 'info', message, file: this.#folder };
  }
}

/** The pipes of a process are sockets, which Node's types do not say. */
function unref(stream: object): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}

/** Cuts the output of `cat-file --batch` into objects: a line `<hash> <type> <size>`, the contents, a line break. */
class BatchParser {
  readonly #largestBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #header: { readonly type: string; readonly size: number } | null = null;
  /** Bytes of a skipped object, its line break included, that are still to come. */
  #toSkip = 0;

  constructor(largestBytes: number) {
    this.#largestBytes = largestBytes;
  }

  push(chunk: Buffer): void {
    const skipped = Math.min(this.#toSkip, chunk.length);
    this.#toSkip -= skipped;
    if (skipped === chunk.length) return;
    this.#chunks.push(chunk.subarray(skipped));
    this.#length += chunk.length - skipped;
  }

  /** The answer to the name that was asked first; null while it is not complete. */
  take(name: string): GitObject | null {
    if (this.#toSkip > 0) return null;
    if (this.#header === null) {
      const line = this.#line();
      if (line === null) return null;
      const [, type, size] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(line) ?? [];
      if (type === undefined || size === undefined || line === `${name} missing`) return { kind: 'missing' };
      this.#header = { type, size: Number(size) };
    }
    const { type, size } = this.#header;
    if (size > this.#largestBytes) {
      this.#header = null;
      const here = this.#cut(Math.min(this.#length, size + 1));
      this.#toSkip = size + 1 - here.length;
      return { kind: 'tooLarge', size };
    }
    if (this.#length < size + 1) return null;
    this.#header = null;
    const bytes = this.#cut(size + 1).subarray(0, size);
    if (type === 'blob' || type === 'commit' || type === 'tree' || type === 'tag') return { kind: type, bytes };
    return { kind: 'missing' };
  }

  #line(): string | null {
    const all = this.#joined();
    const end = all.indexOf(10);
    return end < 0 ? null : this.#cut(end + 1).toString('utf8', 0, end);
  }

  #cut(length: number): Buffer {
    const all = this.#joined();
    const rest = all.subarray(length);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(0, length);
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
