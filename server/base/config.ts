// Every setting, its type and its default: the one table from which reading, checking, documentation and the JSON schema come.

/** The values that a setting may have. `shares` are fractions of 1. */
export type SettingRule =
  | { readonly type: 'boolean'; readonly default: boolean; readonly says: string }
  | {
      readonly type: 'string';
      readonly default: string | null;
      /** The form of the text; any is fine when absent. */
      readonly like?: { readonly pattern: string; readonly says: string };
      readonly says: string;
    }
  | { readonly type: 'choice'; readonly default: string; readonly oneOf: readonly string[]; readonly says: string }
  | { readonly type: 'share'; readonly default: number; readonly says: string }
  | {
      readonly type: 'integer';
      readonly default: number;
      readonly minimum: number;
      readonly maximum: number;
      readonly says: string;
    }
  | {
      readonly type: 'strings';
      readonly default: Readonly<Record<string, string>>;
      /** The form of each text; any is fine when absent. */
      readonly like?: { readonly pattern: string; readonly says: string };
      readonly says: string;
    }
  | {
      readonly type: 'objects';
      readonly default: readonly never[];
      readonly fields: Readonly<Record<string, FieldRule>>;
      readonly says: string;
    };

/** A text in each object of a list. */
export type FieldRule = {
  readonly required: boolean;
  /** The only texts that it may be; any when absent. */
  readonly oneOf?: readonly string[];
  readonly says: string;
};

/** Dotted key → rule; in insitu.json and in the editor's settings (there below `insitu`) the dots are nested objects. */
export const SETTINGS = {
  store: {
    type: 'string',
    default: null,
    says: 'Where snapshots are kept: a folder (relative to the file that names it) or a bucket, `s3://bucket/prefix`. Default: INSITU_STORE, else the user data folder.',
  },
  project: { type: 'string', default: null, says: 'Project in the store. Default: the name of the git root.' },
  program: {
    type: 'string',
    default: null,
    says: 'Program whose numbers are shown. Default: the only one, else the one with most classes in this source root.',
  },
  programs: {
    type: 'strings',
    default: {},
    says: 'Programs by path: the longest path prefix (relative to the workspace) of a file decides which program it belongs to.',
  },
  version: {
    type: 'string',
    default: null,
    says: 'Version whose numbers are shown. Default: that of the commit checked out, else the nearest one by history, else the newest.',
  },
  baseline: {
    type: 'string',
    default: null,
    says: 'Version that shares are compared with. Default: none.',
  },
  tagPattern: {
    type: 'string',
    default: null,
    says: 'Tag of a version, such as release/{version}; {program} may stand in it too. Default: X, vX, program-X and program/X.',
  },
  metric: { type: 'string', default: null, says: 'Metric of hints. Default: cpu-time where present, else cpu.' },
  metrics: {
    type: 'objects',
    default: [],
    fields: {
      event: { required: true, says: 'Type of an event with a stack trace, such as com.acme.QueryEvent.' },
      weight: {
        required: false,
        says: "Field with an event's weight, a number or a span of time; without it each event weighs 1.",
      },
      unit: {
        required: true,
        oneOf: ['samples', 'nanoseconds', 'bytes', 'invocations'],
        says: 'Unit of the weight. Spans of time become nanoseconds; with samples and invocations the weight is how many an event stands for.',
      },
    },
    says: 'Further events that insitu import makes a metric each, named after the event. They hold for recordings imported from then on.',
  },
  tasks: {
    type: 'objects',
    default: [],
    fields: {
      name: { required: true, says: 'Its name in --focus.' },
      type: {
        required: true,
        oneOf: ['method', 'prefix', 'regex', 'path', 'query'],
        says: 'How the value is matched against pkg.Class.method.',
      },
      value: {
        required: true,
        says: 'A method; a beginning that ends where a name does; a regular expression; methods that call each other in a row, with / between them, from the root where it begins with /; or a query by call paths, of which it is what lies below the last element.',
      },
      taskName: {
        required: false,
        says: `Name of each task that the named groups of an expression make: \${group} stands for its text.`,
      },
    },
    says: 'Saved definitions of what may be taken as the new 100 %; insitu tasks lists what they yield.',
  },
  aspects: {
    type: 'objects',
    default: [],
    fields: {
      name: { required: true, says: 'Its name in queries.' },
      value: {
        required: true,
        says: 'Its methods: names, classes and patterns with | between them, such as msg_queue.* | *Queue.put(..).',
      },
    },
    says: 'Named sets of methods, which may overlap, for queries by call paths (insitu query). Their order decides where insitu aspects divides samples among them: the first one has what several share.',
  },
  'code.own': {
    type: 'string',
    default: null,
    says: "Packages of your own code, with commas between them, such as com.acme, org.acme.tools: those below them too. Lists are sorted by what own code costs. Default: packages with sources in the project; where none of them ran, all but the Java platform's.",
  },
  'hints.methods.enabled': {
    type: 'boolean',
    default: true,
    says: 'Show how much of all run-time each method takes.',
  },
  'hints.methods.threshold': {
    type: 'share',
    default: 0.001,
    says: 'Share of all run-time below which a method gets no hint.',
  },
  'hints.calls.enabled': {
    type: 'boolean',
    default: true,
    says: 'Show where inside a method its time goes, line by line.',
  },
  'hints.calls.threshold': {
    type: 'share',
    default: 0.02,
    says: "Share of the method's time, with all that it calls, below which a call gets no hint.",
  },
  'hints.lines.enabled': {
    type: 'boolean',
    default: true,
    says: 'Show how much of a method is spent on its hot lines themselves, without what they call.',
  },
  'hints.lines.threshold': {
    type: 'share',
    default: 0.02,
    says: "Share of the method's time, with all that it calls, below which a line gets no hint.",
  },
  'hints.format': {
    type: 'string',
    default: 'default',
    like: {
      pattern: '^(?:default|ascii|verbose)$|\\$\\{',
      says: `default, ascii, verbose, or a text with a placeholder such as "\${share}"`,
    },
    says: `How hints are written: default, ascii, verbose, or a template of the method hint such as "\${share} of all"; see hints.md.`,
  },
  'hints.commands': {
    type: 'choice',
    default: 'auto',
    oneOf: ['auto', 'on', 'off'],
    says: 'Let a click on a hint show callers or callees. auto: in editors that are known to run a command of a hint (IntelliJ with LSP4IJ, VS Code).',
  },
  'hints.minimumSamples': {
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 1_000_000,
    says: 'Fewer samples than this give no hint.',
  },
  'hints.maximumLength': {
    type: 'integer',
    default: 32,
    minimum: 8,
    maximum: 200,
    says: 'Most characters of a hint; longer names end in an ellipsis. With the default of 32, lines without room have 24.',
  },
  'hover.enabled': {
    type: 'boolean',
    default: true,
    says: 'Show numbers when the pointer rests on the name of a method or call.',
  },
  'lenses.enabled': {
    type: 'boolean',
    default: false,
    says: 'Show numbers of each method as code lenses. They move the text in many editors.',
  },
  callHierarchy: {
    type: 'choice',
    default: 'auto',
    oneOf: ['auto', 'on', 'off'],
    says: "Answer call hierarchies with what really ran. auto: not in VS Code, which would drop the Java server's own.",
  },
  'implementation.enabled': {
    type: 'boolean',
    default: true,
    says: 'Answer where an interface or abstract method is implemented with the classes that really ran.',
  },
  'codeActions.enabled': {
    type: 'boolean',
    default: true,
    says: 'Offer to take a method or call as the new 100 %.',
  },
  'stale.uncommitted': {
    type: 'boolean',
    default: true,
    says: 'Compare the text on screen, saved or not, with what was recorded. Switched off, committed text alone decides what counts as changed.',
  },
  'diagnostics.stale': {
    type: 'boolean',
    default: true,
    says: 'Mark methods with numbers that have changed since they were recorded, as hints of the editor.',
  },
  'diagnostics.regressions': {
    type: 'share',
    default: 0.05,
    says: 'Growth of a share against the baseline from which a method is marked, as a fraction of all run-time; 0 marks none.',
  },
  'predict.enabled': {
    type: 'boolean',
    default: true,
    says: 'Show what new and changed calls, loops and methods will cost while they are written, where response times were recorded.',
  },
  'predict.limit': {
    type: 'strings',
    default: {},
    like: {
      pattern: '^\\+?\\d+(?:\\.\\d+)? *(?:%|ns|µs|us|ms|s|min)$',
      says: 'an object of limits such as "+10 %" or "+5 ms"',
    },
    says: 'By pattern of methods, such as com.acme.*: predicted growth from which a method is marked, of its time or as time. Default: none is marked.',
  },
  'predict.costs': {
    type: 'strings',
    default: {},
    like: { pattern: '^\\d+(?:\\.\\d+)? *(?:ns|µs|us|ms|s|min)$', says: 'an object of times such as "5 ms"' },
    says: 'Times that predictions assume for a call of a method, by method, such as Shop.search: in place of measured ones.',
  },
  'predict.iterations': {
    type: 'strings',
    default: {},
    like: { pattern: '^\\d+(?:\\.\\d+)?$', says: 'an object of numbers such as "12"' },
    says: 'Runs that predictions assume of loops whose number of runs is not known, by method and header, such as Shop.run for (String word : words).',
  },
} as const satisfies Record<string, SettingRule>;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<R> = R extends { type: 'boolean' }
  ? boolean
  : R extends { type: 'choice'; oneOf: readonly (infer T)[] }
    ? T
    : R extends { type: 'strings' }
      ? Readonly<Record<string, string>>
      : R extends { type: 'string' }
        ? string | null
        : R extends { type: 'objects'; fields: infer F }
          ? readonly ObjectOf<F>[]
          : number;

/** An object with the texts that the rules of its fields ask for. */
type ObjectOf<F> = {
  readonly [K in keyof F as F[K] extends { required: true } ? K : never]: TextOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: TextOf<F[K]>;
};

type TextOf<R> = R extends { oneOf: readonly (infer T)[] } ? T : string;

/** All settings with their values; every key is there. */
export type Settings = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };

/** Settings that one source (a file, an editor) gives; keys it does not mention are absent. */
export type PartialSettings = { readonly [K in SettingKey]?: Settings[K] };

/** The settings that hold by default. */
export function defaultSettings(): Settings {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([key, rule]) => [key, rule.default]));
  return defaults as Settings;
}
