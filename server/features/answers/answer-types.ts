// The types of all answers and of their terms, for clients: node .ci/docs.ts writes them from the schemas.

/** Which data are looked at, and which part of them. Without a metric it is the one that hints show. */
export type Look = {
  /** Program; default: the configured one, or the only one */
  readonly program?: string;
  /** Version: a name, tag or commit; default: the one nearest to the code checked out */
  readonly version?: string;
  /** Only what these instances (processes of the program) recorded, by their names */
  readonly instances?: ReadonlyArray<string>;
  /** Metric, such as cpu, wall, alloc, lock; default: cpu-time where recorded, else cpu */
  readonly metric?: string;
  /** Only threads whose names match one of these patterns, such as http-* */
  readonly threads?: ReadonlyArray<string>;
  /** Take as 100 %: a method, a call path (A.a;B.b), prefix:…, regex:…, query:… or a saved task; several are united, none take it back */
  readonly focus?: ReadonlyArray<string>;
  /** Only what was recorded from then on: 2026-11-20T16:00, 2026-11-20 or "2026-11-20 17:00 local" */
  readonly from?: number;
  /** Only what was recorded before */
  readonly to?: number;
  /** Count only stacks that satisfy this query by call paths, such as "A ..B"; shares stay those of all samples */
  readonly path?: string;
};

export type Execution = {
  readonly project: string;
  readonly program: string;
  readonly version: string;
  readonly instance: string;
};

/** The verdict of a test over JVMs about a difference. `notTested`: there are too few JVMs. `cannotTell`: the test neither finds a change nor excludes one. `same`: it excludes a change that matters. `slower`, `faster`: the share grew or shrank by more than equal JVMs differ. A difference without direction is drawn neutral. */
export type Verdict = 'notTested' | 'cannotTell' | 'same' | 'slower' | 'faster';

export type Origin = {
  readonly project: string;
  readonly program: string;
  readonly versions: ReadonlyArray<string>;
  readonly instances: ReadonlyArray<string>;
  /** Begin of the time that is looked at */
  readonly from: string;
  /** End of the time that is looked at */
  readonly to: string;
  /** Minutes since the last sample was recorded */
  readonly ageMinutes: number;
  readonly metric: string;
  readonly unit: string;
  /** Samples that are 100 % */
  readonly samples: number;
  /** The weight that is 100 %, in the unit of the metric */
  readonly weight: number;
  /** Samples that no share counts, because their stacks were cut off */
  readonly incomplete: number;
  /** Stacks that were cut off, samples without a stack, and samples that the recorder lost */
  readonly losses: {
    readonly truncatedStacks: number;
    readonly withoutStack: number;
    readonly lostSamples: number;
  };
  /** Packages that are own code, and why they are */
  readonly own: string;
  /** Threads, time and focus that were chosen; empty for everything */
  readonly part: string;
  /** How the recorded version relates to the code checked out; empty if unknown */
  readonly code: string;
  /** Data that are compared with: program, version, instances, time, samples */
  readonly baseline: string | null;
  /** Data that were not read, or were not as asked: the numbers are without them. Also of the baseline */
  readonly problems: ReadonlyArray<{
    readonly severity: 'error' | 'warning' | 'info';
    readonly text: string;
  }>;
};

export type Method = {
  /** Name that every parameter "method" takes, such as com.acme.Shop.search(String) */
  readonly key: string;
  /** Stays the same over versions; "id:…" with it is a value of every parameter "method" too */
  readonly id: string;
  readonly className: string;
  readonly name: string;
  readonly descriptor: string | null;
  readonly place: Place | null;
};

export type Place = {
  /** Path of the file, relative to the root where it lies below it */
  readonly file: string;
  /** Line of the declaration, from 1 */
  readonly line: number;
  /** Column of its name, from 1, in UTF-16 units */
  readonly column: number;
  /** False if other declarations could be meant */
  readonly certain: boolean;
};

export type Share = {
  /** The share for people; the count alone below 0.1 % */
  readonly text: string;
  /** Fraction of the whole, from 0 to 1 */
  readonly share: number;
  /** Samples in the part; null where the recording does not tell */
  readonly count: number | null;
  /** Samples in the whole; null where the recording does not tell */
  readonly of: number | null;
  /** The part in the unit of the metric */
  readonly weight: number;
  /** 95 % interval of the share, sampling error only; null where the counts are exact or not known, or the share is a lower bound, estimated, or of what was recorded */
  readonly interval: readonly [number, number] | null;
};

export type Change = {
  readonly text: string;
  /** Share before, a fraction of everything */
  readonly baseline: number;
  /** Share now, a fraction of everything */
  readonly current: number;
  /** The result of a test over JVMs; only "slower" and "faster" are evidence of a change */
  readonly verdict: Verdict;
};

export type Times = {
  readonly text: string;
  /** Calls */
  readonly count: number;
  /** Nanoseconds from entry to exit, with all that was called */
  readonly mean: number;
  /** Standard deviation; null where only sums were recorded */
  readonly deviation: number | null;
  readonly least: number;
  readonly greatest: number;
  /** Half of the calls took no longer; null where it is not known */
  readonly p50: number | null;
  readonly p95: number | null;
  /** Calls a second, of all JVMs together */
  readonly perSecond: number | null;
};

export type TextDocumentIdentifier = {
  readonly uri: string;
};

/** As in the Language Server Protocol: 0-based line and UTF-16 character. */
export type Position = {
  readonly line: number;
  readonly character: number;
};

export type Range = {
  readonly start: Position;
  readonly end: Position;
};

export type Location = {
  readonly uri: string;
  readonly range: Range;
};

/** Names a runtime method; what one answer gives can be asked about in the next. */
export type MethodName = {
  readonly className: string;
  readonly name: string;
  /** Of the JVM; null where the recording has none */
  readonly descriptor: string | null;
};

/** Tags that point at the commits of versions, for people, by the versions that are hashes of these commits */
export type TagsOfVersions = { readonly [name: string]: string };

/** A recording that was started from the editor. */
export type RecordingMessage = {
  readonly program: string;
  readonly version: string;
  readonly instance: string;
  readonly pid: number;
  readonly name: string;
  readonly tier: 'base' | 'standard' | 'full';
  readonly sinceMillis: number;
  readonly state: 'starting' | 'recording' | 'ending';
  /** Windows in the store; the open window is not among them */
  readonly windows: number;
  /** The last failure */
  readonly problem: string | null;
  /** One line for people */
  readonly text: string;
};

/** The shown part of one source of data. */
export type SourceStatus = {
  readonly state: 'loading' | 'ready' | 'none';
  readonly store: string;
  readonly project: string;
  /** null until it is known which one is shown */
  readonly program: string | null;
  readonly versions: ReadonlyArray<string>;
  readonly tags: TagsOfVersions;
  /** Why these versions: chosen, what the settings say, or how they lie to the commit checked out; empty without data */
  readonly because: string;
  /** Commit of the version that is shown; null where it is none, or not known */
  readonly commit: string | null;
  readonly metric: string | null;
  readonly samples: number;
  /** The baseline of shares, for people; null for none */
  readonly baseline: string | null;
  /** The new 100 %; empty for everything */
  readonly focus: ReadonlyArray<string>;
  /** Focus, threads, instances and time that were chosen, for people; empty for everything */
  readonly part: string;
  /** The same for programs, without the focus: what "select" was told; absent where the settings decide */
  readonly chosen: {
    /** Program; default: the configured one, or the only one */
    readonly program?: string;
    /** Version: a name, tag or commit; default: the one nearest to the code checked out */
    readonly version?: string;
    /** Only what these instances (processes of the program) recorded, by their names */
    readonly instances?: ReadonlyArray<string>;
    /** Metric, such as cpu, wall, alloc, lock; default: cpu-time where recorded, else cpu */
    readonly metric?: string;
    /** Only threads whose names match one of these patterns, such as http-* */
    readonly threads?: ReadonlyArray<string>;
    /** Milliseconds since the epoch */
    readonly from?: number;
    /** Milliseconds since the epoch */
    readonly to?: number;
    /** Count only stacks that satisfy this query by call paths, such as "A ..B"; shares stay those of all samples */
    readonly path?: string;
  };
  /** Data that were recorded later than the chosen ones, for people; null for none */
  readonly newer: string | null;
  /** The known facts about the code that was recorded, for people; empty where there is nothing to say */
  readonly codeState: string;
  /** In samples: what the recorder lost; of the metric what it cut off, and what of that is in no share */
  readonly losses: {
    readonly lost: number;
    readonly truncated: number;
    readonly incomplete: number;
  };
  /** Each one line: what, where, what to do */
  readonly problems: ReadonlyArray<string>;
  /** One line for people */
  readonly text: string;
};

/** The state of everything that is shown. */
export type Status = {
  readonly sources: ReadonlyArray<SourceStatus>;
  /** The ones that were started from this editor and run */
  readonly recordings: ReadonlyArray<RecordingMessage>;
  /** Mistakes in insitu.json */
  readonly configurationProblems: ReadonlyArray<string>;
  /** Why nothing is shown of open documents; each one line: which one, its size and the limit, what is missing */
  readonly documentProblems: ReadonlyArray<string>;
  /** Why not all sources of the open folders are searched; each one sentence */
  readonly searchLimits: ReadonlyArray<string>;
  /** Everything for people, line by line */
  readonly text: string;
};

/** The executions of one project in the store, and the selected ones. Metrics, threads and windows are of the loaded data. */
export type Choices = {
  readonly project: string;
  /** All of the project, the latest first */
  readonly executions: ReadonlyArray<{
    readonly project: string;
    readonly program: string;
    readonly version: string;
    readonly instance: string;
    readonly from: string;
    readonly to: string;
    readonly snapshots: number;
    readonly bytes: number;
    /** Whether its data are among the data that are shown */
    readonly shown: boolean;
  }>;
  readonly metrics: ReadonlyArray<{
    readonly id: string;
    readonly unit: string;
    readonly shown: boolean;
  }>;
  readonly threads: ReadonlyArray<{
    readonly group: string;
    /** Threads whose names differ in digits alone are one entry, "reader-#" */
    readonly name: string;
    readonly share: number;
    /** The threads of the entry by name, as far as their names are kept; absent where it is one thread */
    readonly threads?: ReadonlyArray<{
      readonly name: string;
      readonly share: number;
    }>;
  }>;
  readonly windows: ReadonlyArray<{
    /** Milliseconds since the epoch */
    readonly from: number;
    /** Milliseconds since the epoch */
    readonly to: number;
  }>;
  readonly tags: TagsOfVersions;
};

/** The tree of callers or callees of a method. */
export type CallHierarchy = {
  readonly direction: 'incoming' | 'outgoing';
  /** The methods that were asked about, each with the rows below it; of an item the rows below it */
  readonly rows: ReadonlyArray<CallHierarchyRow>;
};

export type CallHierarchyRow = {
  /** For people: Shop.search(String, int) */
  readonly label: string;
  readonly kind: 'method' | 'constructor' | 'lambda' | 'initializer';
  /** Several where runtime methods of one declaration are taken as one */
  readonly methods: ReadonlyArray<MethodName>;
  /** Of the row that it belongs to, within the path; of everything for what was asked about; null where it was not seen running there */
  readonly share: Share | null;
  /** Whether it is only written: not seen running here */
  readonly written: boolean;
  /** As call hierarchies say it: "41 % · 140 samples · no source in this workspace" */
  readonly detail: string;
  /** In the current text of its file; null without a source in the workspace */
  readonly location: Location | null;
  /** Whether the location is the declaration of the method for sure */
  readonly certain: boolean;
  /** The calls, in the text of the caller; none where that one has no source, and for the method that was asked about */
  readonly fromRanges: ReadonlyArray<Range>;
  /** To ask about the rows below */
  readonly item: CallHierarchyEntry;
  /** The rows below; null where they were not asked for */
  readonly rows: ReadonlyArray<CallHierarchyRow> | null;
};

/** A row of a call tree as it is asked about again; an item of the call hierarchy of the protocol will do as well. */
export type CallHierarchyEntry = {
  readonly uri: string;
  readonly selectionRange: Range;
  /** For the server alone */
  readonly data: {
    readonly uri: string;
    readonly direction: 'callees' | 'callers' | null;
    readonly path: ReadonlyArray<ReadonlyArray<MethodName>>;
    readonly seen: boolean;
  };
};

/** State of a declaration since it was recorded */
export type StateName = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new' | 'affected' | 'unknown';

/** How many callers or callees there are, and the shares of the heaviest, at most three */
export type Neighbours = {
  readonly count: number;
  readonly largest: ReadonlyArray<number>;
};

/** Shares by group of threads, at most six, heaviest first; "count" is how many threads there are */
export type ThreadGroups = {
  readonly count: number;
  readonly groups: ReadonlyArray<{
    readonly group: string;
    readonly share: number;
  }>;
};

/** A look beside other parameters: null means absent. */
export type GivenLook = { readonly [Key in keyof Look]?: Look[Key] | null | undefined };

/** What each answer gives, by its name. */
export type Answers = {
  /** Says in a sentence what a program does, with its hottest own code, its waits, its allocation and exceptions, its garbage collections, what changed since the version before, and what the data lack. Ask it first. */
  readonly overview: {
    readonly origin: Origin;
    readonly sentence: string;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** Samples in which the method, or code of the group, is the innermost own code: each sample counts once */
      readonly own: Share;
      readonly total: Share;
      /** Change of "total" */
      readonly change: Change | null;
      /** Own share of each span of "spans"; null where nothing was recorded in it */
      readonly overTime: ReadonlyArray<number | null>;
    }>;
    readonly spans: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
    }>;
    /** Null where it was not recorded what threads do; see "waits" */
    readonly waiting: {
      /** Time of threads that run own code, waiting or not, without time that is known to be outside of it */
      readonly amount: string;
      readonly types: ReadonlyArray<{
        readonly type: string;
        readonly words: string;
        readonly share: Share;
        /** The weight with its unit */
        readonly amount: string;
      }>;
      /** Which class of threads is held up for how much of its time (by locks, data, processors), most time first */
      readonly classes: ReadonlyArray<{
        /** Class of threads */
        readonly threads: string;
        readonly words: string;
        readonly type: string;
        /** Share of the time of that class, as in "amount" */
        readonly share: Share;
        readonly atLeast: boolean;
        readonly holder: string | null;
      }>;
      readonly rows: ReadonlyArray<{
        /** The time type in words */
        readonly words: string;
        readonly type: string;
        readonly method: Method;
        /** Share of "amount" */
        readonly share: Share;
        /** The weight with its unit */
        readonly amount: string;
        /** True if waits below a threshold are missing */
        readonly atLeast: boolean;
        /** The class of threads that waits most there */
        readonly threads: string;
        /** Class of threads, or method, that they wait for most */
        readonly holder: string | null;
      }>;
      /** Time outside of own code: the time of threads that run none, such as the JVM's own, and of idle threads of pools */
      readonly aside: {
        /** The weight with its unit */
        readonly amount: string;
        readonly threads: ReadonlyArray<string>;
      };
    } | null;
    /** Waits that events tell, where "waiting" is null */
    readonly waits: ReadonlyArray<{
      readonly metric: string;
      /** The weight with its unit */
      readonly amount: string;
      /** For each second of recording, of one JVM */
      readonly rate: string;
      readonly rows: ReadonlyArray<{
        readonly method: Method;
        readonly share: Share;
        /** The weight with its unit */
        readonly amount: string;
      }>;
    }>;
    readonly allocation: {
      readonly metric: string;
      /** The weight with its unit */
      readonly amount: string;
      /** For each second of recording, of one JVM */
      readonly rate: string;
      readonly rows: ReadonlyArray<{
        readonly method: Method;
        readonly share: Share;
        /** The weight with its unit */
        readonly amount: string;
      }>;
    } | null;
    readonly exceptions: {
      readonly metric: string;
      /** The weight with its unit */
      readonly amount: string;
      /** For each second of recording, of one JVM */
      readonly rate: string;
      readonly rows: ReadonlyArray<{
        readonly method: Method;
        readonly share: Share;
        /** The weight with its unit */
        readonly amount: string;
      }>;
    } | null;
    /** Garbage collections of the whole JVMs, whatever threads or methods are looked at; null where none was recorded */
    readonly collections: {
      /** How long all threads stood still for garbage collections */
      readonly amount: string;
      /** Fraction of the time of recording, from 0 to 1 */
      readonly share: number;
      /** The share for people */
      readonly text: string;
      /** Collections */
      readonly count: number;
      /** How long the pauses of one collection are on average */
      readonly mean: string;
      /** Longest pauses first */
      readonly kinds: ReadonlyArray<{
        /** Collector and cause */
        readonly kind: string;
        readonly amount: string;
        readonly count: number;
      }>;
    } | null;
    /** Processors that the JVMs used on average, of the processors that they could use; null where it was not recorded */
    readonly processors: string | null;
    /** Changes since another version; null where there is none, or it was not asked for */
    readonly changes: {
      readonly version: string;
      /** The version for people: the beginning of a hash */
      readonly shown: string;
      /** The verdict of the test over JVMs */
      readonly text: string;
      readonly findings: ReadonlyArray<{
        readonly text: string;
        readonly verdict: 'slower' | 'faster';
      }>;
    } | null;
    readonly missing: ReadonlyArray<{
      readonly text: string;
      readonly remedy: string;
      /** The line that does the remedy, to be copied */
      readonly line: string | null;
    }>;
  };
  /** Says which program, version and metric the numbers are of, which metrics there are, and what was lost. */
  readonly loadedData: {
    readonly origin: Origin;
    readonly metrics: ReadonlyArray<{
      readonly id: string;
      readonly unit: string;
      readonly kind: string;
      /** Samples or events of what is looked at; null where the recording does not tell */
      readonly samples: number | null;
      /** Their sum, in the unit */
      readonly weight: number;
    }>;
    readonly cautions: ReadonlyArray<string>;
  };
  /** Lists the programs, versions and instances that the store has data of, the latest first. */
  readonly executions: {
    readonly store: string;
    readonly project: string;
    /** Snapshots that cannot be read */
    readonly problems: ReadonlyArray<{
      readonly severity: 'error' | 'warning' | 'info';
      readonly text: string;
    }>;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly project: string;
      readonly program: string;
      readonly version: string;
      readonly instance: string;
      readonly from: string;
      readonly to: string;
      readonly snapshots: number;
      readonly bytes: number;
    }>;
  };
  /** Lists the methods that cost most of the time (or of another metric): by what own code costs with the libraries that it calls, else with everything that it calls, or alone. */
  readonly top: {
    readonly origin: Origin;
    /** Self time of the Java platform's own methods, where they are left out */
    readonly platform: Share | null;
    /** Self time of frames without a class (native code, names that were not understood), where they are left out */
    readonly unknown: Share | null;
    /** Sorted by own: samples without a frame of own code. The own shares of all methods, this and fromOutside are all samples */
    readonly withoutOwn: Share | null;
    /** Classes of threads of the samples without own code, heaviest first, 3 at most: such as those of the JVM, and idle ones of pools */
    readonly withoutOwnThreads: ReadonlyArray<string>;
    /** Sorted by own: samples whose own code lies above the focus, and called it */
    readonly fromOutside: Share | null;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** True for methods of the Java platform */
      readonly isPlatform: boolean;
      readonly total: Share;
      readonly self: Share;
      /** Samples in which the method, or code of the group, is the innermost own code: each sample counts once */
      readonly own: Share;
      readonly change: Change | null;
      /** Null where nothing recorded the times of calls */
      readonly times: Times | null;
    }>;
    /** Methods among the hottest of the baseline that have no sample now, with their shares then */
    readonly vanished: ReadonlyArray<{
      readonly method: Method;
      /** True for methods of the Java platform */
      readonly isPlatform: boolean;
      readonly total: Share;
      readonly self: Share;
      /** Samples in which the method, or code of the group, is the innermost own code: each sample counts once */
      readonly own: Share;
      readonly change: Change | null;
      /** Null where nothing recorded the times of calls */
      readonly times: Times | null;
    }>;
  };
  /** Lists the methods that call a method, with the part of its time in which each one does. */
  readonly callers: {
    readonly origin: Origin;
    readonly subject: Method;
    /** The subject for people: several methods may be taken as one */
    readonly subjectText: string;
    readonly ofAll: Share;
    readonly self: Share;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** Share of the time of the subject */
      readonly ofItsTime: Share;
      readonly ofAll: Share;
      /** Its own time from all callers, as a share of everything */
      readonly self: Share;
      /** Recorded lines of the calls; 0 is unknown */
      readonly lines: ReadonlyArray<number>;
    }>;
  };
  /** Lists the methods that a method calls, with the part of its time that each one takes. */
  readonly callees: {
    readonly origin: Origin;
    readonly subject: Method;
    /** The subject for people: several methods may be taken as one */
    readonly subjectText: string;
    readonly ofAll: Share;
    readonly self: Share;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** Share of the time of the subject */
      readonly ofItsTime: Share;
      readonly ofAll: Share;
      /** Its own time from all callers, as a share of everything */
      readonly self: Share;
      /** Recorded lines of the calls; 0 is unknown */
      readonly lines: ReadonlyArray<number>;
    }>;
  };
  /** Gives the heaviest part of the tree of calls: of everything, or of one method, downwards to what it calls or upwards to its callers. */
  readonly callTree: {
    readonly origin: Origin;
    /** True if calls are left out: they are lighter, deeper or beyond the limit */
    readonly cut: boolean;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    /** Depth first, the heaviest of siblings first */
    readonly rows: ReadonlyArray<{
      /** Null for everything */
      readonly method: Method | null;
      /** Index of the row above; −1 for the first row */
      readonly parent: number;
      readonly depth: number;
      readonly total: Share;
      /** The part that is in no row below: upwards, the stacks that begin with the method */
      readonly self: Share;
    }>;
  };
  /** Follows the heaviest calls, from everything or from a method, to the method that spends the time itself. */
  readonly heaviestPath: {
    readonly origin: Origin;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      readonly ofAll: Share;
      readonly self: Share;
      /** Recorded line of the method at which it calls the next one; 0 is unknown, and of the last */
      readonly line: number;
    }>;
  };
  /** Explains the number of a method, or why it has none, with its heaviest way in and on and what can be done. */
  readonly why: {
    readonly origin: Origin;
    readonly verdict: string;
    readonly subject: string;
    /** Runtime methods that are taken together */
    readonly methods: ReadonlyArray<string>;
    /** Null if it was not seen */
    readonly ofAll: Share | null;
    readonly self: Share | null;
    /** Name that it had when it was recorded; empty if it has that name */
    readonly recordedAs: string;
    /** State of the code since it was recorded; null if no source was read */
    readonly state: string | null;
    readonly stateText: string;
    /** Which files declare the class, and which of them ran; empty where one file does */
    readonly claims: string;
    readonly explanation: string;
    readonly remedy: string;
    readonly nearest: ReadonlyArray<string>;
    /** A chain, nearest first: each method calls the one before, or is called by it */
    readonly calledBy: ReadonlyArray<{
      readonly method: Method;
      readonly ofItsTime: Share;
    }>;
    /** A chain, nearest first: each method calls the one before, or is called by it */
    readonly spentIn: ReadonlyArray<{
      readonly method: Method;
      readonly ofItsTime: Share;
    }>;
    readonly objects: ReadonlyArray<{
      readonly metric: string;
      /** Kind of the objects: allocated objects, monitors, locks, exceptions */
      readonly title: string;
      /** All of them together, for people */
      readonly amount: string;
      /** All of them in the unit of the metric */
      readonly weight: number;
      /** Samples; null where the recording does not tell */
      readonly count: number | null;
      /** Classes that there are */
      readonly total: number;
      readonly leftOut: number;
      readonly rows: ReadonlyArray<{
        readonly className: string;
        /** The row for people */
        readonly text: string;
        /** Share of all classes of the metric */
        readonly share: string;
        readonly amount: string;
        readonly weight: number;
        readonly count: number | null;
        /** Classes of threads that had the monitor last before the wait, most first; empty where no event tells */
        readonly hadBefore: ReadonlyArray<{
          readonly thread: string;
          readonly weight: number;
        }>;
      }>;
    }>;
  };
  /** Gives the hot lines of a Java file at their present lines, and says which code changed since it was recorded. */
  readonly annotatedFile: {
    readonly origin: Origin;
    /** Why the recorded text is not known, and which classes several files declare */
    readonly problems: ReadonlyArray<{
      readonly severity: 'error' | 'warning' | 'info';
      readonly text: string;
    }>;
    /** Commit of the recorded text; empty if it is not known */
    readonly recordedFrom: string;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly line: number;
      /** The text of the line, cut to 160 characters */
      readonly source: string;
      readonly hint: string;
      readonly kind: string;
      /** The share, 0 to 1 */
      readonly heat: number;
      /** State of the declaration since it was recorded */
      readonly state: string;
      readonly explanations: ReadonlyArray<string>;
      readonly change: Change | null;
    }>;
  };
  /** Gives the lines of a method as they were recorded, each with its part of everything. */
  readonly methodSource: {
    readonly origin: Origin;
    readonly subject: Method;
    /** Why the text is not known; then the rows are the recorded lines without their text */
    readonly missing: {
      readonly message: string;
      readonly remedy: string;
    } | null;
    /** In the recorded commit, else below the folder of the project */
    readonly file: string | null;
    /** Seven digits of the recorded commit, or the name of the version */
    readonly version: string;
    /** Whether the code of today is another one */
    readonly changed: boolean;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly line: number;
      readonly text: string | null;
      /** The line and what it calls, as part of everything */
      readonly total: Share;
      /** The line itself, as part of everything */
      readonly self: Share;
    }>;
  };
  /** Gives the lines of a method as they were recorded in two versions, and which lines differ. */
  readonly comparedSource: {
    readonly origin: Origin;
    /** Id of the method in the version that has it */
    readonly id: string;
    readonly before: {
      /** Why the text is not known; then there are no lines */
      readonly missing: {
        readonly message: string;
        readonly remedy: string;
      } | null;
      /** In the recorded commit, else below the folder of the project */
      readonly file: string | null;
      /** Seven digits of the recorded commit, or the name of the version */
      readonly version: string;
      /** Line of the first one in the file, from 1 */
      readonly firstLine: number;
      readonly lines: ReadonlyArray<string>;
    };
    readonly now: {
      /** Why the text is not known; then there are no lines */
      readonly missing: {
        readonly message: string;
        readonly remedy: string;
      } | null;
      /** In the recorded commit, else below the folder of the project */
      readonly file: string | null;
      /** Seven digits of the recorded commit, or the name of the version */
      readonly version: string;
      /** Line of the first one in the file, from 1 */
      readonly firstLine: number;
      readonly lines: ReadonlyArray<string>;
    };
    /** Lines beside each other, by their places in "lines"; null where the other side has no such line */
    readonly pairs: ReadonlyArray<{
      readonly before: number | null;
      readonly now: number | null;
      readonly same: boolean;
    }>;
  };
  /** Compares two versions: the changes that a test over their JVMs found, each with the context and the commit that explain it, then methods and contexts that differ. */
  readonly compare: {
    readonly origin: Origin;
    readonly scaling: 'share' | 'perSecond' | 'absolute' | 'anchored';
    /** Why; empty where the scaling was asked for and could be used */
    readonly scalingReason: string;
    /** Everything now, as a part of everything before; all amounts are such parts */
    readonly whole: number;
    /** JVMs with samples */
    readonly jvms: {
      readonly before: number;
      readonly now: number;
    };
    /** Rows that the test looked at; 0 where the JVMs are too few */
    readonly tested: {
      readonly methods: number;
      readonly contexts: number;
    };
    /** Findings of the test; nothing else is evidence of a change */
    readonly reports: ReadonlyArray<{
      readonly verdict: 'slower' | 'faster';
      /** The cause in words */
      readonly text: string;
      /** The verdict, the cause and the amounts, in one sentence */
      readonly sentence: string;
      /** The method whose code stands for the change: the one of the context, or of a call that came or went the nearest caller whose code changed */
      readonly method: Method;
      /** Why the context stands for the change: its code changed, the call was added or removed, its code did not change, or its code is not known */
      readonly cause: 'changed' | 'added' | 'removed' | 'unchanged' | 'unknown';
      readonly before: number;
      readonly now: number;
      /** Change of all contexts that are the cause */
      readonly change: number;
      /** The innermost changed or added calling context that holds the change, with what calls it from the root on; null for everything */
      readonly context: {
        readonly className: string;
        readonly method: string;
        readonly descriptor: string | null;
        readonly state: 'kept' | 'added' | 'removed';
        readonly above: ReadonlyArray<{
          readonly className: string;
          readonly method: string;
          readonly descriptor: string | null;
        }>;
      } | null;
      /** Code of the method of the context; of a call that was added or removed, of the nearest caller whose code changed */
      readonly source: {
        readonly change: 'same' | 'changed' | 'new';
        /** From the root of the repository */
        readonly path: string;
        readonly line: number;
        readonly endLine: number;
        readonly caller: {
          readonly className: string;
          readonly method: string;
          readonly descriptor: string | null;
        } | null;
      } | null;
      /** The latest commit that changed that code */
      readonly commit: {
        readonly hash: string;
        readonly author: string;
        readonly dateMillis: number | null;
        readonly subject: string;
        readonly parent: string | null;
      } | null;
      /** Tested methods whose time with all they call changed by it; the first one is nearest to the context */
      readonly methods: ReadonlyArray<{
        readonly className: string;
        readonly method: string;
        readonly descriptor: string | null;
        readonly before: number;
        readonly now: number;
        readonly change: number;
        /** The change is uncertain by so much, up and down */
        readonly margin: number;
        /** Adjusted for all that was tested */
        readonly p: number;
        readonly source: {
          readonly change: 'same' | 'changed' | 'new';
          /** From the root of the repository */
          readonly path: string;
          readonly line: number;
          readonly endLine: number;
        } | null;
      }>;
    }>;
    /** The finding of the test, or why it found nothing, in one sentence */
    readonly sentence: string;
    readonly check: {
      readonly end: 'failed' | 'passed' | 'undecided';
      /** Samples that anchor the scale, of the JVM with the fewest: a check needs 1,600; null where nothing anchors it */
      readonly anchorSamples: number | null;
      /** That grew by more than the limit, or may have */
      readonly methods: ReadonlyArray<{
        readonly className: string;
        readonly method: string;
        readonly descriptor: string | null;
        readonly before: number;
        readonly now: number;
        readonly change: number;
        /** The change is uncertain by so much, up and down */
        readonly margin: number;
        /** Adjusted for all that was tested */
        readonly p: number;
        readonly source: {
          readonly change: 'same' | 'changed' | 'new';
          /** From the root of the repository */
          readonly path: string;
          readonly line: number;
          readonly endLine: number;
        } | null;
        /** The largest change that is not excluded */
        readonly atMost: number;
      }>;
    } | null;
    /** Of a check that could not be tested: methods that grew by more than the limit with all they call, not tested */
    readonly grown: ReadonlyArray<{
      readonly className: string;
      readonly method: string;
      readonly descriptor: string | null;
      readonly before: number;
      readonly now: number;
      readonly change: number;
    }>;
    /** Methods whose self time differs */
    readonly methods: ReadonlyArray<{
      readonly className: string;
      readonly method: string;
      readonly descriptor: string | null;
      readonly before: number;
      readonly now: number;
      readonly presence: 'both' | 'new' | 'gone';
      readonly change: number;
      /** Only "slower" and "faster" are evidence of a change */
      readonly verdict: Verdict;
      /** Adjusted for all that was tested; null where it was not */
      readonly p: number | null;
      readonly source: {
        readonly change: 'same' | 'changed' | 'new';
        /** From the root of the repository */
        readonly path: string;
        readonly line: number;
        readonly endLine: number;
      } | null;
    }>;
    /** Methods that differ by 0.1 % of everything or more */
    readonly differingMethods: number;
    /** From the context of the first report down, always to the call that differs most; empty without a report */
    readonly path: ReadonlyArray<{
      readonly className: string;
      readonly method: string;
      readonly descriptor: string | null;
      readonly before: number;
      readonly now: number;
      readonly state: 'kept' | 'added' | 'removed';
      readonly height: number;
    }>;
    /** The cost of the recorder itself; its methods and contexts are not listed, and count in all amounts */
    readonly recorder: {
      readonly before: number;
      readonly now: number;
    };
    /** Calling contexts that are responsible for the difference */
    readonly contexts: ReadonlyArray<{
      readonly className: string;
      readonly method: string;
      readonly descriptor: string | null;
      readonly before: number;
      readonly now: number;
      readonly state: 'kept' | 'added' | 'removed';
      readonly change: number;
      /** Only "slower" and "faster" are evidence of a change */
      readonly verdict: Verdict;
      /** Adjusted for all that was tested; null where it was not */
      readonly p: number | null;
      readonly above: ReadonlyArray<{
        readonly className: string;
        readonly method: string;
        readonly descriptor: string | null;
      }>;
      readonly total: {
        readonly before: number;
        readonly now: number;
      };
    }>;
    /** Contexts that differ by 0.1 % of everything or more */
    readonly differing: number;
    /** How many entries other lists are without, by their names */
    readonly leftOutOf?: { readonly [name: string]: number };
  };
  /** Lists the methods whose share of everything changed against another version, through renames and moves. */
  readonly moved: {
    readonly origin: Origin;
    /** Why renames are not known: such a method is new and gone */
    readonly problems: ReadonlyArray<{
      readonly severity: 'error' | 'warning' | 'info';
      readonly text: string;
    }>;
    /** Methods with samples whose share moved by less than 0.1 points; not listed */
    readonly unmoved: number;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** True if only the baseline has samples of it */
      readonly vanished: boolean;
      /** Now */
      readonly total: Share;
      /** Now */
      readonly self: Share;
      readonly change: Change;
    }>;
  };
  /** Lists the methods whose code some commits changed, followed through moves, with the part of everything that each took before. */
  readonly changedMethods: {
    readonly origin: Origin;
    /** How many of all of them ran */
    readonly ran: number;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      /** Class with its outer classes, and method */
      readonly name: string;
      readonly change: 'changed' | 'new' | 'gone';
      readonly total: Share;
      readonly self: Share;
      /** From the root of the repository; before the commits if it is gone */
      readonly path: string;
      readonly line: number;
      /** The latest of the commits that changed it; null where git cannot tell */
      readonly commit: {
        readonly hash: string;
        readonly author: string;
        readonly dateMillis: number | null;
        readonly subject: string;
        readonly parent: string | null;
      } | null;
    }>;
  };
  /** Says of the hot methods that git has in both versions whether their code is another one. */
  readonly codeChanges: {
    readonly origin: Origin;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly method: Method;
      /** "same": only its place, name or layout is another one, if anything */
      readonly change: 'same' | 'changed' | 'new';
      /** From the root of the repository */
      readonly path: string;
      readonly line: number;
      readonly endLine: number;
    }>;
  };
  /** Lists the classes that a method allocates and throws, and the classes of the monitors and locks that it waits for, with the threads that had them before. */
  readonly objects: {
    readonly origin: Origin;
    /** Empty where the recording does not tell the classes */
    readonly metrics: ReadonlyArray<{
      readonly metric: string;
      /** Kind of the objects: allocated objects, monitors, locks, exceptions */
      readonly title: string;
      /** All of them together, for people */
      readonly amount: string;
      /** All of them in the unit of the metric */
      readonly weight: number;
      /** Samples; null where the recording does not tell */
      readonly count: number | null;
      /** Classes that there are */
      readonly total: number;
      readonly leftOut: number;
      readonly rows: ReadonlyArray<{
        readonly className: string;
        /** The row for people */
        readonly text: string;
        /** Share of all classes of the metric */
        readonly share: string;
        readonly amount: string;
        readonly weight: number;
        readonly count: number | null;
        /** Classes of threads that had the monitor last before the wait, most first; empty where no event tells */
        readonly hadBefore: ReadonlyArray<{
          readonly thread: string;
          readonly weight: number;
        }>;
      }>;
    }>;
  };
  /** Says how long the calls of a method took in production, by caller and over time. Samples alone do not tell it: it needs a Kieker log, method tracing or method timing. */
  readonly responseTimes: {
    readonly origin: Origin;
    readonly subject: Method;
    /** Null where nothing recorded the times of calls */
    readonly times: Times | null;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly caller: Method | null;
      /** The caller in words where it is no method */
      readonly callerText: string;
      readonly times: Times;
    }>;
    /** The latest windows in which it was called, at most 20 */
    readonly windows: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly times: Times;
    }>;
  };
  /** Predicts how much longer the changed methods of a Java file and their callers will take, from the response times of production; what is not known stays unknown. */
  readonly prediction: {
    readonly origin: Origin;
    /** Why nothing is predicted: samples alone tell no milliseconds, or git does not have the recorded text */
    readonly obstacle: 'notTimed' | 'textUnknown' | null;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly name: string;
      readonly line: number;
      readonly text: string;
      /** Nanoseconds of one run as it was recorded; null where it was not timed */
      readonly measured: number | null;
      /** Nanoseconds that one run takes longer, without the unknown terms: the middle where only ends are known; null where a main term is unknown */
      readonly change: number | null;
      /** The least that the terms say of it: another number than "most" where it is not known how often calls run */
      readonly least: number | null;
      readonly most: number | null;
      /** 1 slower, -1 faster, 0 not known; also of what is unknown */
      readonly direction: number;
      /** Begin of the 80 % interval of the change, of the same run under the same conditions */
      readonly low: number | null;
      readonly high: number | null;
      /** Begin of the 80 % interval of the mean of its runs */
      readonly meanLow: number | null;
      readonly meanHigh: number | null;
      readonly reliability: 'measured' | 'likely' | 'rough' | 'unknown';
      /** Terms that are not in the change */
      readonly unknown: number;
      readonly terms: ReadonlyArray<{
        readonly line: number;
        readonly callee: string;
        readonly change: 'added' | 'removed' | 'more or less often' | 'with other values';
        /** 1 more, -1 less, 0 not known */
        readonly direction: number;
        /** Times more in one run of the method; null where it is not known */
        readonly least: number | null;
        readonly most: number | null;
        /** Loops and branches that decide how often it runs, outermost first */
        readonly around: ReadonlyArray<string>;
        /** Nanoseconds of one call */
        readonly mean: number | null;
        /** Calls that the mean is of; sums: calls whose callers are not known, body: the sum of the calls in its code, assumed: told by the settings or costs */
        readonly rule: 'load' | 'caller' | 'all' | 'sums' | 'body' | 'assumed' | null;
        readonly calls: number | null;
        readonly windows: number | null;
        /** Why the term is unknown; empty where it is known */
        readonly reason: string;
        /** The method of a database or a client of HTTP that it leads to, where the edit puts it into a loop; else null */
        readonly query: string | null;
      }>;
    }>;
    /** Changed methods that are too large to be predicted, or whose text is unfinished */
    readonly unpredicted: ReadonlyArray<{
      readonly name: string;
      readonly line: number;
      readonly reason: string;
    }>;
    readonly callers: ReadonlyArray<{
      readonly method: Method;
      readonly measured: number;
      /** Nanoseconds that one run takes longer: the middle where only ends are known; null where its calls overlap in time, or nothing is known of a method below it */
      readonly change: number | null;
      /** The least end of the change: another number than "most" where only ends of a method below it are known */
      readonly least: number | null;
      readonly most: number | null;
      /** The changed methods and callers that it calls */
      readonly through: ReadonlyArray<string>;
    }>;
  };
  /** Says what a query by call paths costs, such as "* ..Logger.*" or "RequestHandler.handle ..JsonWriter.*", and refines it by callees or callers. */
  readonly paths: {
    readonly origin: Origin;
    /** As it was given */
    readonly query: string;
    /** Samples that satisfy the query, of the samples that "where" keeps */
    readonly cost: Share;
    /** The weight that is 100 %, in the unit of the metric */
    readonly whole: number;
    /** True if the cost is at least so much, as a share of "whole": events below a threshold, and waits that have not ended, are missing. The shares "ofPath" are of what was recorded */
    readonly lowerBound: boolean;
    /** True if how long threads ran, or on which call paths, follows in part from samples or the number of processors */
    readonly estimated: boolean;
    /** True if the share is of what was recorded, behind "where" and "not" and below a focus: how much of the time that no event tells belongs there is not known */
    readonly ofRecorded: boolean;
    /** Of the view "server": part of the time of all processors in which no recorded thread had them; null in other views */
    readonly idle: number | null;
    /** Of the view "server": windows that are left out, as it was not recorded how many processors the JVM could use */
    readonly leftOutWindows: number;
    /** Where the elements of the path that refinements add to stand in the query: offsets, the end exclusive */
    readonly elements: ReadonlyArray<{
      readonly from: number;
      readonly to: number;
    }>;
    /** Elements at which "up" can split the path */
    readonly splits: ReadonlyArray<{
      readonly at: number;
      readonly element: string;
    }>;
    /** The first element that no stack satisfies, of a query without samples */
    readonly missing: {
      readonly message: string;
      readonly remedy: string;
      /** Column in the query, from 1 */
      readonly column: number;
      /** Characters from there on */
      readonly length: number;
    } | null;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      /** The method or aspect that refines the path */
      readonly name: string;
      readonly aspect: boolean;
      /** The refined query */
      readonly query: string;
      readonly lowerBound: boolean;
      readonly estimated: boolean;
      readonly ofRecorded: boolean;
      readonly ofAll: Share;
      readonly ofPath: Share;
    }>;
  };
  /** Divides the samples among aspects (named sets of methods, saved or given): each belongs to the first aspect that a frame of its stack belongs to. Also over time. */
  readonly aspects: {
    readonly origin: Origin;
    /** The buckets and the rest together: all samples, or the samples that satisfy the path filter */
    readonly counted: Share;
    /** Samples that belong to several aspects; each counts for the first of them */
    readonly several: Share;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly name: string;
      /** Its definition */
      readonly value: string;
      /** Each sample counts in one bucket, or in the rest */
      readonly share: Share;
      /** The weight with its unit */
      readonly amount: string;
      /** Weight in each of "spans", in the unit of the metric */
      readonly overTime: ReadonlyArray<number>;
      /** Time of threads in the bucket, by type; null where no typed time was recorded */
      readonly threads: {
        /** Time of threads, running or not */
        readonly amount: string;
        /** Share of the time of threads in all buckets and the rest */
        readonly share: number;
        readonly types: ReadonlyArray<{
          readonly type: string;
          readonly words: string;
          readonly text: string;
          /** Share of the bucket */
          readonly share: number;
        }>;
      } | null;
      /** The query that its samples satisfy, as "path" takes it; null without methods */
      readonly query: string | null;
      /** Samples that belong to the aspect, those in earlier buckets too */
      readonly all: Share;
      /** Later aspects that samples of the bucket belong to as well */
      readonly alsoIn: ReadonlyArray<{
        readonly name: string;
        readonly share: Share;
      }>;
      /** Methods that ran and belong to it */
      readonly methods: number;
      /** Parts of the definition that no method that ran fits */
      readonly unmatched: ReadonlyArray<string>;
      /** Why the bucket is empty; null where it is not */
      readonly note: string | null;
    }>;
    /** Samples that belong to no aspect */
    readonly rest: {
      /** Each sample counts in one bucket, or in the rest */
      readonly share: Share;
      /** The weight with its unit */
      readonly amount: string;
      /** Weight in each of "spans", in the unit of the metric */
      readonly overTime: ReadonlyArray<number>;
      /** Time of threads in the bucket, by type; null where no typed time was recorded */
      readonly threads: {
        /** Time of threads, running or not */
        readonly amount: string;
        /** Share of the time of threads in all buckets and the rest */
        readonly share: number;
        readonly types: ReadonlyArray<{
          readonly type: string;
          readonly words: string;
          readonly text: string;
          /** Share of the bucket */
          readonly share: number;
        }>;
      } | null;
      /** The query that its samples satisfy, as "path" takes it; null without methods */
      readonly query: string | null;
    };
    readonly spans: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly weight: number;
    }>;
    /** Where no aspects are known: some, made of packages or classes of the program, to begin with */
    readonly example: ReadonlyArray<{
      readonly name: string;
      readonly value: string;
    }>;
    /** Aspects with a mistake, and wanted names that no aspect has */
    readonly problems: ReadonlyArray<{
      readonly severity: 'error' | 'warning' | 'info';
      readonly text: string;
    }>;
  };
  /** Lists the names that a query by call paths may go on with: sets of methods, threads, then methods. */
  readonly completePath: {
    readonly origin: Origin;
    /** Begin of the part of the query that a name takes the place of: an offset */
    readonly from: number;
    /** Its end, exclusive */
    readonly to: number;
    /** Sets of methods, then threads where a path begins, then methods with most time first */
    readonly names: ReadonlyArray<{
      readonly text: string;
      readonly kind: 'aspect' | 'thread' | 'method';
    }>;
  };
  /** Lists the classes of threads with their samples, or with their part of a method, and the threads of each class. */
  readonly threads: {
    readonly origin: Origin;
    readonly subject: Method | null;
    /** The subject for people: several methods may be taken as one */
    readonly subjectText: string;
    /** The time of the method; null without one */
    readonly ofAll: Share | null;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      /** As the parameter "threads" and a path take it */
      readonly name: string;
      readonly group: string;
      /** Threads of different names that were seen: at least so many */
      readonly names: number;
      readonly share: Share;
      /** Share of the time of the method; null without one */
      readonly ofItsTime: Share | null;
      /** Threads of the class, as far as their names are kept; empty where it is one thread */
      readonly threads: ReadonlyArray<{
        readonly name: string;
        readonly share: Share;
      }>;
    }>;
  };
  /** Lists the classes, packages, threads or instances that take most of the time (or of another metric). */
  readonly groups: {
    readonly origin: Origin;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      /** Empty for what has none */
      readonly name: string;
      readonly total: Share;
      readonly self: Share;
      /** Samples in which the method, or code of the group, is the innermost own code: each sample counts once */
      readonly own: Share;
      readonly change: Change | null;
    }>;
    /** Groups among the largest of the baseline that have no sample now, with their shares then */
    readonly vanished: ReadonlyArray<{
      /** Empty for what has none */
      readonly name: string;
      readonly total: Share;
      readonly self: Share;
      /** Samples in which the method, or code of the group, is the innermost own code: each sample counts once */
      readonly own: Share;
      readonly change: Change | null;
    }>;
  };
  /** Lists the saved tasks and queries with their part of everything; each name is a value of "focus". */
  readonly tasks: {
    readonly origin: Origin;
    /** Definitions that fit nothing, or are wrong */
    readonly problems: ReadonlyArray<{
      readonly severity: 'error' | 'warning' | 'info';
      readonly text: string;
    }>;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly name: string;
      /** Name of the definition that yields the task */
      readonly definition: string;
      readonly share: Share;
    }>;
  };
  /** Gives the part of each window of time that a method has in it; without a method the hottest methods of each. */
  readonly timeline: {
    readonly origin: Origin;
    /** Rows that there are */
    readonly total: number;
    /** Rows that limit and offset leave out */
    readonly leftOut: number;
    readonly rows: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      /** Share of the window */
      readonly share: Share;
      /** How long calls of the method took; null where nothing recorded it, or the metric is not "time" */
      readonly times: Times | null;
      /** Methods that cost most in the window with the libraries that they call, as shares of it; empty with a method */
      readonly hottest: ReadonlyArray<{
        readonly method: string;
        readonly own: Share;
      }>;
    }>;
  };
};

/** What the answers give that editors alone get. */
export type SessionAnswers = {
  readonly status: Status;
  readonly choices: Choices;
  /** Gives every declaration of an open document that ran, with its calls, its lines and its graphic. */
  readonly metrics: {
    /** Version of the text that it is about, as the client counts */
    readonly version: number | null;
    readonly metric: {
      readonly id: string;
      readonly unit: string;
    };
    readonly declarations: ReadonlyArray<{
      /** The name */
      readonly range: Range;
      readonly fullRange: Range;
      readonly kind: 'method' | 'lambda' | 'initializer';
      readonly title: string;
      readonly state: StateName;
      readonly methods: ReadonlyArray<MethodName>;
      readonly total: Share;
      /** Share of everything, as "total" */
      readonly self: Share;
      /** The same samples, of those of the method */
      readonly selfOfMethod: Share;
      readonly change: Change | null;
      readonly callers: Neighbours;
      readonly callees: Neighbours;
      readonly threads: ThreadGroups;
      /** Calls in it that were seen, by line */
      readonly calls: ReadonlyArray<{
        /** From 0 */
        readonly line: number;
        readonly share: Share;
        /** Text of the hint behind the arrow */
        readonly target: string;
        readonly targets: ReadonlyArray<MethodName>;
        readonly change: Change | null;
      }>;
      /** Lines that were seen, by line */
      readonly lines: ReadonlyArray<{
        /** From 0 */
        readonly line: number;
        readonly share: Share;
      }>;
    }>;
  };
  readonly callHierarchy: CallHierarchy;
};
