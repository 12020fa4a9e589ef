// The shapes of insitu's own messages; docs/lsp-extensions.md says what each is for. It imports nothing: the package ships it as types.

/** As in the Language Server Protocol: 0-based line and UTF-16 character. */
export type Position = { readonly line: number; readonly character: number };

export type Range = { readonly start: Position; readonly end: Position };

export type Location = { readonly uri: string; readonly range: Range };

export type TextDocumentIdentifier = { readonly uri: string };

/** Part of a whole, in the loaded metric, with everything that a client may want to show of it. */
export type ShareMessage = {
  /** 0 to 1; 0 where the whole is empty. */
  readonly share: number;
  /** Samples. */
  readonly count: number;
  /** Samples of the whole. */
  readonly of: number;
  /** In the metric's unit. */
  readonly weight: number;
  /** As hints write it: `62%`, `0.25%`, `140 samples`. */
  readonly text: string;
  /** 95 % Wilson interval of the share; null for exact metrics. */
  readonly interval: readonly [low: number, high: number] | null;
};

/** A share's movement against the baseline. To be drawn neutral unless it is `significant`. */
export type ChangeMessage = {
  readonly baseline: number;
  readonly current: number;
  /** Whole degrees, −90 (share at least doubled) to 90. */
  readonly angle: number;
  /** 0 to 255 each. */
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
  readonly significant: boolean;
  /** `↗ +9`. */
  readonly text: string;
};

/** Names a runtime method; what one answer gives can be asked about in the next. */
export type MethodName = {
  readonly className: string;
  readonly name: string;
  /** JVM descriptor, null where the recording has none. */
  readonly descriptor: string | null;
};

/** A runtime method with its place. */
export type MethodMessage = MethodName & {
  /** For people: `Shop.search(String, int)`. */
  readonly label: string;
  /** In the current text of its file; null without a source in the workspace. */
  readonly location: Location | null;
  /** Whether the location is the method's for sure; shown with a `~` otherwise. */
  readonly certain: boolean;
};

/** What became of a declaration since it was recorded. */
export type StateName = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new' | 'affected' | 'unknown';

/** The subject of a question: what stands at a position, or a runtime method. */
export type Subject =
  | { readonly textDocument: TextDocumentIdentifier; readonly position: Position }
  | { readonly textDocument?: TextDocumentIdentifier; readonly method: MethodName };

/** The data that a question is about: those of a document, or of the workspace's first source. */
export type About = { readonly textDocument?: TextDocumentIdentifier };

/** How many callers or callees there are, and the shares of the heaviest, at most three. */
export type Neighbours = { readonly count: number; readonly largest: readonly number[] };

/** Shares by group of threads, at most six, heaviest first; `count` is how many threads there are. */
export type ThreadGroups = {
  readonly count: number;
  readonly groups: readonly { readonly group: string; readonly share: number }[];
};

/** Part of `insitu/metrics`: one declaration that ran. The graphic's fields follow the literature's word-sized graphic. */
export type DeclarationMetrics = {
  /** The name. */
  readonly range: Range;
  readonly fullRange: Range;
  readonly kind: 'method' | 'lambda' | 'initializer';
  readonly title: string;
  readonly state: StateName;
  readonly methods: readonly MethodName[];
  readonly total: ShareMessage;
  /** Of the method's own samples. */
  readonly self: ShareMessage;
  readonly change: ChangeMessage | null;
  readonly callers: Neighbours;
  readonly callees: Neighbours;
  readonly threads: ThreadGroups;
  /** Calls in it that were seen, by line. */
  readonly calls: readonly CallMetrics[];
  /** Lines that were seen, by line. */
  readonly lines: readonly { readonly line: number; readonly share: ShareMessage }[];
};

/** `data` of an inlay hint; the graphic's fields are there for clients that asked for them, on hints of methods and lambdas. */
export type HintData = {
  /** Share, 0 to 1: of all samples for methods and lambdas, of the method for calls and lines. */
  readonly heat: number;
  readonly kind: 'method' | 'lambda' | 'call' | 'line';
  /** The declaration's lines no longer fit what was observed, or it has changed. */
  readonly stale: boolean;
  readonly state: StateName;
  readonly change: ChangeMessage | null;
  /** Of the method's own samples. */
  readonly self?: ShareMessage;
  readonly callers?: Neighbours;
  readonly callees?: Neighbours;
  readonly threads?: ThreadGroups;
};

export type CallMetrics = {
  /** 0-based line of the call. */
  readonly line: number;
  readonly share: ShareMessage;
  /** What the hint says behind the arrow. */
  readonly target: string;
  readonly targets: readonly MethodName[];
  readonly change: ChangeMessage | null;
};

export type DocumentMetrics = {
  /** Version of the text that it is about, as the client counts. */
  readonly version: number | null;
  readonly metric: { readonly id: string; readonly unit: string };
  readonly declarations: readonly DeclarationMetrics[];
};

/** A row of callers or callees; `line` is the recorded line of the call (of a caller, of its heaviest one), 0 when unknown. */
export type AroundRow = { readonly method: MethodMessage; readonly share: ShareMessage; readonly line: number };

export type Around = {
  readonly subject: MethodMessage;
  readonly total: ShareMessage;
  readonly rows: readonly AroundRow[];
};

/** Methods that are taken as one step of a path. */
export type MethodStep = readonly MethodName[];

/** A row of a call tree as it is asked about again; an item of the protocol's call hierarchy will do as well. */
export type CallTreeItem = {
  readonly uri: string;
  readonly selectionRange: Range;
  /** For the server alone. */
  readonly data: {
    readonly uri: string;
    readonly direction: 'callees' | 'callers' | null;
    readonly path: readonly MethodStep[];
    readonly seen: boolean;
  };
};

/** What stands at a position, a runtime method, or a row of an earlier answer. */
export type CallTreeMessage = (Subject | { readonly item: CallTreeItem }) & {
  /** Who calls it, or whom it calls; callees when absent. */
  readonly direction?: 'incoming' | 'outgoing';
  /** Levels that are unfolded, 1 to 4; the first one when absent. */
  readonly depth?: number;
};

export type CallTreeRow = {
  /** For people: `Shop.search(String, int)`. */
  readonly label: string;
  readonly kind: 'method' | 'constructor' | 'lambda' | 'initializer';
  /** Several where runtime methods of one declaration are taken as one. */
  readonly methods: readonly MethodName[];
  /** Of the row that it belongs to, within the path; of everything for what was asked about; null where it was not seen running there. */
  readonly share: ShareMessage | null;
  /** Whether it is only written: not seen running here. */
  readonly written: boolean;
  /** As call hierarchies say it: `41 % · 140 samples · no source in this workspace`. */
  readonly detail: string;
  /** In the current text of its file; null without a source in the workspace. */
  readonly location: Location | null;
  readonly certain: boolean;
  /** The calls, in the text of whoever calls; none where that one has no source, and for what was asked about. */
  readonly fromRanges: readonly Range[];
  /** To ask about the rows below. */
  readonly item: CallTreeItem;
  /** null where they were not asked for. */
  readonly rows: readonly CallTreeRow[] | null;
};

export type CallTree = {
  readonly direction: 'incoming' | 'outgoing';
  /** What was asked about, each with the rows below it; of an item the rows below it. */
  readonly rows: readonly CallTreeRow[];
};

export type ThreadsAround = {
  readonly subject: MethodMessage;
  readonly total: ShareMessage;
  readonly rows: readonly {
    readonly group: string;
    readonly name: string;
    readonly virtual: boolean;
    readonly share: ShareMessage;
  }[];
  /** What each thread group ran in sum, heaviest first. */
  readonly groups: readonly {
    readonly group: string;
    /** How many thread rows of it ran the subject. */
    readonly threads: number;
    readonly share: ShareMessage;
  }[];
};

/** What the store holds of one project, and what is selected of it. */
export type ExecutionsMessage = {
  readonly project: string;
  readonly executions: readonly {
    readonly program: string;
    readonly version: string;
    readonly instance: string;
    readonly fromMillis: number;
    readonly toMillis: number;
    readonly snapshots: number;
    /** Whether its data are among those that are shown. */
    readonly shown: boolean;
  }[];
  /** Metrics, threads and windows of what is loaded, to choose from. */
  readonly metrics: readonly { readonly id: string; readonly unit: string; readonly shown: boolean }[];
  readonly threads: readonly { readonly group: string; readonly name: string; readonly share: number }[];
  readonly windows: readonly { readonly fromMillis: number; readonly toMillis: number }[];
};

/** What is looked at; an absent key stays as it is, null takes the wish back. */
export type SelectMessage = About & {
  readonly program?: string | null;
  readonly version?: string | null;
  readonly metric?: string | null;
  readonly instances?: readonly string[] | null;
  readonly fromMillis?: number | null;
  readonly toMillis?: number | null;
  /** Patterns with `*`. */
  readonly threads?: readonly string[] | null;
};

/** What is the new 100 %: methods, names of saved tasks or expressions, taken together; none clears it. */
export type FocusMessage = About & {
  readonly focus?: readonly string[] | null;
  /** Or what stands at a position. */
  readonly position?: Position;
};

/** What shares are compared with; exactly one, none clears it. */
export type CompareMessage = About & {
  readonly version?: string;
  readonly window?: { readonly fromMillis: number; readonly toMillis: number };
  /** Path of a recording or snapshot. */
  readonly file?: string;
};

export type TasksMessage = readonly {
  readonly name: string;
  readonly definition: string;
  readonly total: ShareMessage;
}[];

export type TopMessage = readonly {
  readonly method: MethodMessage;
  readonly total: ShareMessage;
  readonly self: ShareMessage;
  readonly change: ChangeMessage | null;
}[];

/** Methods whose share moved, regressions first. */
export type CompareAnswer = {
  /** Null when there is no baseline. */
  readonly baseline: string | null;
  readonly rows: readonly { readonly method: MethodMessage; readonly change: ChangeMessage }[];
};

export type WhyMessage = {
  readonly verdict: string;
  readonly subject: string;
  readonly total: ShareMessage | null;
  readonly explanation: string;
  readonly remedy: string;
  readonly nearest: readonly string[];
};

/** Recordings and what they are of; an absent program is that of the settings or the shown one, an absent version the commit checked out. */
export type ImportMessage = About & {
  /** Paths of recordings. */
  readonly files: readonly string[];
  readonly program?: string;
  readonly version?: string;
  readonly instance?: string;
};

export type ImportAnswer = {
  readonly imported: number;
  /** What they were taken for. */
  readonly program: string;
  readonly version: string;
  /** Each one line. */
  readonly problems: readonly string[];
};

/** A JVM of this machine. */
export type JvmMessage = {
  readonly pid: number;
  /** Main class, module or jar, without its folder. */
  readonly name: string;
  /** What was given to the program; may hold secrets. */
  readonly arguments: string;
  /** Milliseconds since 1970. */
  readonly sinceMillis: number;
  /** `17.0.15`; empty where it does not tell. */
  readonly javaVersion: string;
  /** Why it cannot be recorded; null where nothing speaks against it. */
  readonly refusal: string | null;
  /** Whether a recording that was started here runs. */
  readonly recorded: boolean;
};

export type JvmsMessage = readonly JvmMessage[];

/** What is to be recorded, and as what; what is absent is decided as `insitu record` does, and else is what is shown. */
export type RecordMessage = About & {
  readonly pid: number;
  /** `standard` when absent. */
  readonly tier?: 'base' | 'standard' | 'full';
  readonly program?: string;
  readonly version?: string;
};

/** A recording that was started from the editor. */
export type RecordingMessage = {
  readonly pid: number;
  readonly name: string;
  readonly program: string;
  readonly version: string;
  readonly instance: string;
  readonly tier: 'base' | 'standard' | 'full';
  readonly sinceMillis: number;
  readonly state: 'starting' | 'recording' | 'ending';
  /** Windows in the store; what is open is not among them. */
  readonly windows: number;
  /** What went wrong last. */
  readonly problem: string | null;
  /** One line for people. */
  readonly text: string;
};

export type RecordAnswer = {
  /** null where it could not begin. */
  readonly recording: RecordingMessage | null;
  /** Each one line. */
  readonly problems: readonly string[];
};

/** Which recordings are to end: all where no `pid` is given. */
export type StopRecordingMessage = {
  readonly pid?: number;
  /** Shows again what was shown before. */
  readonly back?: boolean;
};

export type StopRecordingAnswer = { readonly stopped: number; readonly problems: readonly string[] };

/** `insitu/dataChanged`: numbers shown so far are out of date. */
export type DataChanged = { readonly text: string };

export type SourceStatus = {
  readonly state: 'loading' | 'ready' | 'none';
  readonly store: string;
  readonly project: string;
  /** null until it is known which one is shown. */
  readonly program: string | null;
  readonly versions: readonly string[];
  /** Why these versions: chosen, what the settings say, or how they lie to the commit checked out; empty without data. */
  readonly because: string;
  /** Of the version that is shown; null where it is none, or not known. */
  readonly commit: string | null;
  readonly metric: string | null;
  readonly samples: number;
  /** What shares are compared with, for people; null for nothing. */
  readonly baseline: string | null;
  /** What is the new 100 %; empty for everything. */
  readonly focus: readonly string[];
  /** Focus, threads, instances and time that were chosen, for people; empty for everything. */
  readonly part: string;
  /** What was recorded later than what is shown by choice, for people; null for nothing. */
  readonly newer: string | null;
  /** What is known of the code that was recorded, for people; empty where there is nothing to say. */
  readonly codeState: string;
  /** What the recorder lost or could not place, in samples. */
  readonly losses: { readonly lost: number; readonly truncated: number; readonly incomplete: number };
  /** Each one line: what, where, what to do. */
  readonly problems: readonly string[];
  /** One line for people. */
  readonly text: string;
};

export type Status = {
  readonly sources: readonly SourceStatus[];
  /** Those that were started from this editor and run. */
  readonly recordings: readonly RecordingMessage[];
  /** Mistakes in insitu.json. */
  readonly configurationProblems: readonly string[];
  /** Why not all sources of the open folders are searched; each one sentence. */
  readonly searchLimits: readonly string[];
  /** Everything for people, line by line. */
  readonly text: string;
};
