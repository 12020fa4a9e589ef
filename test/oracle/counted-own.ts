// Counts own times in what the JDK's own `jfr print --json` prints, without any of the project's own code.

type Frame = {
  readonly method: {
    readonly type: { readonly name: string };
    readonly name: string;
    readonly descriptor: string;
    readonly modifiers: number;
  };
};
export type PrintedEvent = {
  readonly type: string;
  readonly values: { readonly weight?: number; readonly stackTrace: { readonly frames: readonly Frame[] } | null };
};

const BRIDGE = 0x40;

/** Frames that compilers make, which fold away: bridges, accessors, and the classes of lambdas. */
function isGenerated({ method }: Frame): boolean {
  const { type, name, modifiers } = method;
  return (modifiers & BRIDGE) !== 0 || name.startsWith('access$') || type.name.includes('$$Lambda');
}

/** By method: what its samples weigh, as text; under an empty name those without own code. @param own the names of its classes */
export function countedOwn(events: readonly PrintedEvent[], own: RegExp): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { values } of events) {
    const innermost = values.stackTrace?.frames.find(
      frame => own.test(frame.method.type.name) && !isGenerated(frame),
    )?.method;
    const key =
      innermost === undefined
        ? ''
        : `${innermost.type.name.replaceAll('/', '.')}.${innermost.name}${innermost.descriptor}`;
    sums.set(key, (sums.get(key) ?? 0) + (values.weight ?? 1));
  }
  return sums;
}
