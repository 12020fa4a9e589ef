// The data types of a profile: a calling context tree as columns, the tables it refers to, and sparse values beside it.
//
// A CCT keeps one row (a *node*) for every method in every calling context. Nodes are told apart by
// (parent node, method, line in the parent from which it was called), so the two calls of `log` below are two nodes:
//
//     main            row 0 (root)      depth 0  subtreeEnd 5
//     └ run     :12   row 1             depth 1  subtreeEnd 5
//       ├ log   :31   row 2             depth 2  subtreeEnd 3
//       ├ log   :35   row 3             depth 2  subtreeEnd 4
//       └ sort  :40   row 4             depth 2  subtreeEnd 5
//
// Invariants (checked by assertProfile in tests):
//   1. Rows are in depth-first order; row 0 is the root, of method row 0, with parent −1 and depth 0.
//   2. parent[i] < i, depth[i] = depth[parent[i]] + 1 for every i > 0.
//   3. subtreeEnd[i] is exclusive: the descendants of i are exactly the rows i+1 … subtreeEnd[i]−1.
//   4. Siblings differ in (method, callLine). Only one node, a child of the root with call line 0, may have the method PARTIAL_METHOD.
//   5. Every row number that a column holds lies inside the table it points into.
//   6. Cells of one metric are sorted by (node, thread, line, window) and unique in it; count ≥ 0; weight is finite and ≥ 0.
//   7. Windows are distinct and in the order of compareWindows.
// Row numbers die with the table: what lasts is a call path (class, name, descriptor), never a number.

/** Method row 0: the root of every tree; its self cells are samples that came without any stack. */
export const ROOT_METHOD = 0;
/** Method row 1: parent of all stacks that the recorder cut off at the root end; present in the table even when no node uses it. */
export const PARTIAL_METHOD = 1;

/** Bits of `MethodTable.flags`. The low 16 bits are the JVM's own access flags where the format carries them. */
export const METHOD_FLAG = {
  /** ACC_STATIC of the class file. */
  static: 0x0008,
  /** ACC_BRIDGE of the class file: the method only forwards to its generic twin. */
  bridge: 0x0040,
  /** ACC_NATIVE of the class file. */
  native: 0x0100,
  /** ACC_ABSTRACT of the class file. */
  abstract: 0x0400,
  /** ACC_SYNTHETIC of the class file: the compiler made it (lambda bodies too). */
  synthetic: 0x1000,
  /** The format carried the access flags; without this bit the low 16 bits mean "unknown", not "none". */
  known: 0x1_0000,
  /** The JVM hides the method from stack traces by default. */
  hidden: 0x2_0000,
  /** Not Java: a native, kernel or VM frame of a profiler that records those. */
  foreign: 0x4_0000,
} as const;

/** Methods, one row each, told apart by (class, name, descriptor). Strings are shared through `strings`. */
export type MethodTable = {
  readonly length: number;
  readonly strings: readonly string[];
  /** Row in `strings`: binary class name with dots, `com.acme.Outer$Inner`; empty for frames without a class. */
  readonly className: Int32Array;
  /** Row in `strings`: method name as the JVM has it, `<init>`, `lambda$run$0`. */
  readonly name: Int32Array;
  /** Row in `strings`: JVM descriptor, `(ILjava/lang/String;)V`; −1 where the format has none. */
  readonly descriptor: Int32Array;
  /** Bits of METHOD_FLAG. */
  readonly flags: Int32Array;
};

/** Threads, one row each: (group, name, virtual). Row order has no meaning. */
export type ThreadTable = {
  readonly length: number;
  readonly group: readonly string[];
  /** Of one thread, `reader-1`, or of a group of threads that are not told apart, `reader-#`. Unnamed virtual threads share the name ``. */
  readonly name: readonly string[];
  readonly virtual: Uint8Array;
  /** Names of threads seen for each row, at most 1,000 in the whole table; may be left out of a row that has its thread's name. */
  readonly rawNames: readonly (readonly string[])[];
};

/**
 * The unit of time filtering: [startMillis, endMillis) since the epoch, in one JVM. Windows of a profile are distinct and sorted as
 * compareWindows does. Those of one JVM in one recording do not overlap.
 */
export type TimeWindow = {
  readonly startMillis: number;
  readonly endMillis: number;
  /** Identity of the JVM, see jvmIdentity; absent where neither recording nor loader tells it. */
  readonly jvm?: string;
};

/** By start, end and JVM; windows without a JVM come first. 0 for windows that are one. */
export function compareWindows(a: TimeWindow, b: TimeWindow): number {
  const [x, y] = [a.jvm ?? '', b.jvm ?? ''];
  return a.startMillis - b.startMillis || a.endMillis - b.endMillis || (x < y ? -1 : x > y ? 1 : 0);
}

/**
 * `7421-20261125T100000.123Z`: tells a JVM from every other one that has the same process id, and, but for an accident, from those of
 * other machines.
 * @param startMillis when the JVM started, since the epoch
 */
export function jvmIdentity(pid: number, startMillis: number): string {
  return `${pid}-${new Date(startMillis).toISOString().replace(/[-:]/g, '')}`;
}

/** The tree's structure. See the invariants above. */
export type Cct = {
  readonly length: number;
  readonly parent: Int32Array;
  readonly method: Int32Array;
  /** Line in the parent's method from which this node was called, as the recorder gave it; ≤ 0 is unknown. */
  readonly callLine: Int32Array;
  readonly subtreeEnd: Int32Array;
  readonly depth: Int32Array;
};

/** A kind of amount, and its unit. `id` is one of the design's fixed names (`cpu`, `native`, …) or a configured one. */
export type Metric = {
  readonly id: string;
  /** Unit of `weight`. */
  readonly unit: 'samples' | 'nanoseconds' | 'bytes' | 'invocations';
  /** `sampled` counts carry sampling error; `measured` are durations or sizes of observed events; `exact` miss nothing. */
  readonly kind: 'sampled' | 'measured' | 'exact';
  /** Event types that fed it, sorted, such as `jdk.ExecutionSample`. */
  readonly events: readonly string[];
  /** Nanoseconds between two samples where the recording tells, else 0. */
  readonly periodNanos: number;
  /** Events of a shorter duration were not recorded, in nanoseconds; absent where the recording does not tell. */
  readonly thresholdNanos?: number;
  /** Most events a second that the recorder kept; absent where it kept all or the recording does not tell. */
  readonly rateLimit?: number;
  /** Nothing tells how many samples the weights sum up: counts only say where there are any. */
  readonly uncounted?: true;
  /** Of typed time: how long threads ran, or on which call paths, follows in part from an estimate and was not measured. */
  readonly estimated?: true;
};

/** Whether its shares have an interval: those of metrics that miss nothing are exact, and without counts nothing is known of the error. */
export function hasSamplingError({ kind, uncounted }: Pick<Metric, 'kind' | 'uncounted'>): boolean {
  return kind !== 'exact' && uncounted !== true;
}

/** Whether samples of a metric differ in weight, so that weights stand beside counts. */
export function isWeighted({ unit }: Pick<Metric, 'unit'>): boolean {
  return unit === 'nanoseconds' || unit === 'bytes';
}

/** Sparse self values of one metric: row i says that `count[i]` samples of `weight[i]` in sum were seen there. */
export type Cells = {
  readonly length: number;
  readonly node: Int32Array;
  readonly thread: Int32Array;
  /** Line being executed in the node's method; ≤ 0 is unknown. */
  readonly line: Int32Array;
  readonly window: Int32Array;
  /** Number of samples (events). Float64 so that sums over years of production stay exact up to 2^53. */
  readonly count: Float64Array;
  /** Sum of the samples' weights in the metric's unit; equals `count` where the unit is samples. */
  readonly weight: Float64Array;
  /** Sum of the squared weights, for the effective sample size n_eff = (Σw)²/Σw²; null where weight equals count. */
  readonly weightSquares: Float64Array | null;
};

/** The losses of reading or recording, so that a part is not taken for the whole. */
export type Losses = {
  /** Samples whose stack was cut off at the root end. */
  readonly truncatedStacks: number;
  /** Samples that came without a stack. */
  readonly withoutStack: number;
  /** Samples the recorder itself says it lost (jdk.DataLoss, jdk.CPUTimeSamplesLost). */
  readonly lostSamples: number;
};

/**
 * Response times, inclusive of all that a method calls, in nanoseconds. A row states how long the calls of `method` by `caller` took
 * that began in `window`. Rows are sorted by (method, caller, window) and unique in it; `count` ≥ 1, `least` ≤ `greatest`.
 * A *pair* is a method with one caller: consecutive rows, of which there is at least one.
 */
export type Times = {
  readonly length: number;
  readonly method: Int32Array;
  /** Row of the method that called; ROOT_METHOD where nothing did, PARTIAL_METHOD where it is not known. */
  readonly caller: Int32Array;
  readonly window: Int32Array;
  readonly count: Float64Array;
  readonly sum: Float64Array;
  /** Sum of the squared times; 0 beside a `sum` above 0 where only sums were recorded. */
  readonly squares: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly sketches: TimeSketches;
};

/**
 * One DDSketch a pair, over all its windows, with γ = 1.05: its quantiles are right within 2.5 %, and the sketch of all times is the sum
 * of the sketches of their parts. Buckets of pair p are the rows from `offset[p]` to `offset[p + 1]`, with ascending index.
 * Times of which only sums were recorded are in none.
 */
export type TimeSketches = {
  readonly offset: Int32Array;
  /** −1 holds times of 0, index i > −1 those over γ^(i−1) and up to γ^i. */
  readonly bucket: Int32Array;
  readonly count: Float64Array;
};

/** A calling context tree with everything its values refer to. Immutable; columns may be transferred between threads. */
export type Profile = {
  readonly tree: Cct;
  readonly methods: MethodTable;
  readonly threads: ThreadTable;
  readonly windows: readonly TimeWindow[];
  readonly metrics: readonly Metric[];
  /** `cells[i]` holds the values of `metrics[i]`. */
  readonly cells: readonly Cells[];
  readonly losses: Losses;
  /** How long methods took; absent where nothing recorded it. Never added to samples. */
  readonly times?: Times;
};
