// The definition of call paths over raw stacks, written without the engine: every choice of frames is tried.

export type OracleElement = {
  /** `Class.name` of one method, or of each member of a set. */
  readonly methods: readonly string[];
  readonly isSet: boolean;
  readonly isExtended: boolean;
};

export type OraclePath = {
  readonly fromThread: boolean;
  /** Threads that the path may run on; all when absent. */
  readonly threads?: readonly number[];
  readonly elements: readonly OracleElement[];
};

/** Whether a stack, outermost frame first, satisfies a path. */
export function satisfiesPath(
  stack: readonly string[],
  thread: number,
  { fromThread, threads, elements }: OraclePath,
  starts: ReadonlySet<string> = new Set(),
): boolean {
  if (threads !== undefined && !threads.includes(thread)) return false;
  const [first] = elements;
  if (first === undefined) return fromThread;
  return stack.some((method, end) => {
    if (!first.methods.includes(method)) return false;
    const outermost = stack.findIndex(each => !starts.has(each));
    if (fromThread && !first.isExtended && end !== outermost) return false;
    return followsFrom(stack, end, elements, 1);
  });
}

/** Whether elements from `at` on are satisfied by calls that begin at or below frame `end`. */
function followsFrom(stack: readonly string[], end: number, elements: readonly OracleElement[], at: number): boolean {
  const [source, target] = [elements[at - 1]!, elements[at]];
  if (target === undefined) return true;
  for (let callee = end; callee < stack.length; callee++) {
    if (!target.methods.includes(stack[callee]!)) continue;
    if (isCall(stack, end, callee, source, target) && followsFrom(stack, callee, elements, at + 1)) return true;
  }
  return false;
}

function isCall(
  stack: readonly string[],
  end: number,
  callee: number,
  source: OracleElement,
  target: OracleElement,
): boolean {
  // A set `directly calls` a member of itself that was entered.
  if (!target.isExtended && source.isSet) return source.methods.includes(stack[callee]!);
  for (let caller = end; caller < callee; caller++)
    if (source.methods.includes(stack[caller]!) && (target.isExtended || callee === caller + 1)) return true;
  return false;
}
