// Names contexts by their call paths, innermost method first, as short as tells each from the others of a list.
import { printableName } from '../../base/printable.ts';
import { type ListedMethod, listedText } from './listed-method.ts';
import { nameInClass } from './runtime-names.ts';

/** A method in a context. */
type Context = ListedMethod & {
  /** The callers of the context, root first. */
  readonly above: readonly ListedMethod[];
};

/** At most so many callers are named; of more, the middle ones are left out. */
const MOST_CALLERS = 3;

/**
 * `Shop.find ← Shop.review ← … ← Worker.run`, one text a context: the method, its caller, and further callers up to the first that
 * only this context has. Equal labels of different methods are written with package and parameters.
 */
export function contextPaths(contexts: readonly Context[]): string[] {
  const chains = contexts.map(context => [context, ...context.above.toReversed()]);
  const short = chains.map(chain => chain.map(method => nameInClass(method.className, method.method)));
  const paths = tellingPaths(short);
  const isDouble = (text: string) => paths.indexOf(text) !== paths.lastIndexOf(text);
  const long = tellingPaths(chains.map(chain => chain.map(listedText)));
  return paths.map((text, i) => printableName(isDouble(text) ? long[i]! : text));
}

/** How many chains begin with these steps, and with which further ones. */
type Start = { count: number; readonly next: Map<string, Start> };

function tellingPaths(chains: readonly (readonly string[])[]): string[] {
  const all: Start = { count: 0, next: new Map() };
  for (const chain of chains) {
    let at = all;
    for (const step of chain) {
      const next = at.next.get(step) ?? { count: 0, next: new Map() };
      at.next.set(step, next);
      next.count += 1;
      at = next;
    }
  }
  const starts = chains.map(chain => {
    let length = 0;
    for (let at: Start = all; length < chain.length && (length < 2 || at.count > 1); length++)
      at = at.next.get(chain[length]!)!;
    return chain.slice(0, length);
  });
  const folded = starts.map(steps => {
    const left = steps.length <= MOST_CALLERS + 1 ? steps : [...steps.slice(0, 2), '…', steps.at(-1)!];
    return left.join(' ← ');
  });
  return folded.map((text, i) => (folded.indexOf(text) === i ? text : starts[i]!.join(' ← ')));
}
