// Counts what a reader saw in a file and could not read, so that nothing is lost without a word.
import type { ProblemList } from './problem-list.ts';

const EXAMPLES = 3;
const MAX_EXAMPLE = 120;

/** Parts of one kind in a file: how many there were, how many could not be read, and some of these. */
export class Unread {
  readonly #what: string;
  readonly #examples: string[] = [];
  #seen = 0;
  #unread = 0;

  /** `what` names the parts, in the plural: `frames`. */
  constructor(what: string) {
    this.#what = what;
  }

  read(count = 1): void {
    this.#seen += count;
  }

  /** A part that could not be read, by its text in the file. */
  unread(example: string): void {
    this.#seen++;
    this.#unread++;
    if (this.#examples.length === EXAMPLES) return;
    const text = example.trim();
    const short = text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
    if (!this.#examples.includes(short)) this.#examples.push(short);
  }

  /** Counts one part, by its text in the file. */
  note(isRead: boolean, text: string): void {
    if (isRead) this.read();
    else this.unread(text);
  }

  /** Adds one problem where parts could not be read. `what` is the verb: `could not be read`. */
  say(problems: ProblemList, what: string): void {
    if (this.#unread === 0) return;
    const many = `${this.#unread} of ${this.#seen} ${this.#what}`;
    const all = this.#unread === this.#examples.length;
    const examples = this.#examples.map(text => (text === '' ? '(without a name)' : text)).join(', ');
    problems.say('warning', `${many} ${what}: ${all ? '' : 'for example '}${examples}`);
  }
}
