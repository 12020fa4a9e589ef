// The type of an answer: a name, a description, schemas of parameters and result, and the function that computes plain data.

import * as v from 'valibot';
import type { Reach } from '../../analysis/ask.ts';
import { AskFailed } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { SettingKey, Settings } from '../../base/config.ts';
import { firstNames, printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import type { CommitInWords } from '../../mapping/git/git-repository.ts';
import type { GivenLook, Look } from '../../model/look.ts';
import { LOOK } from '../../model/look-schema.ts';
import { type Origin, originSchema } from '../../model/terms.ts';
import type { CommittedChanges } from '../../workspace/code/committed-changes.ts';
import type { MethodSource, MethodSources } from '../../workspace/code/method-sources.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { ExecutionRow } from '../executions.ts';
import { originOf, type Places } from './vocabulary.ts';

/** Which executions are meant; all of the project where nothing else is named. */
export type ExecutionsWish = Pick<Look, 'program' | 'version' | 'instances'> & {
  /** Also of other projects. */
  readonly all: boolean;
};

/** A file by its absolute path, and its path in the recorded commit where that is another. */
export type RecordedFile = { readonly path: string; readonly recorded: string | null };

/** The changes of the code of measured methods between two versions. */
export type ComparedCode = {
  readonly ofMethod: MethodSources['ofMethod'];
  readonly calledBy: MethodSources['calledBy'];
  /** The latest commit that changed a method; null where git cannot tell. */
  commitOf(method: MethodSource): Promise<CommitInWords | null>;
};

/** Where a remedy is read: at a command line, or in an editor. */
export type Reader = 'command line' | 'editor';

/** Everything that answers need. There is one implementation for each home of the data. All methods reject with `AskFailed`. */
export type AnswerContext = {
  readonly settings: Settings;
  /** Path of the insitu.json that has a setting; null where the setting comes from elsewhere. */
  fileOfSetting(key: SettingKey): string | null;
  readonly reach: Reach;
  /** The reader of the answer: remedies name commands of an editor, or of the command line. */
  readonly reader: Reader;
  /** The data that are looked at, as they are in the store now. */
  data(look: GivenLook): Promise<LoadedData>;
  /**
   * Another version of the program, with its methods paired; null where there is none.
   * @param version null for the baseline that is chosen beside the data
   * @param file the one that the answer is about
   */
  baseline(data: LoadedData, version: string | null, file?: RecordedFile): Promise<Baseline | null>;
  /** Compares the code of two versions while `work` runs; null where git does not have the commits of both, or they are one. */
  withCodeOf<T>(data: LoadedData, baseline: LoadedData, work: (code: ComparedCode | null) => Promise<T>): Promise<T>;
  /** Finds the methods whose code differs between two commits, as a person names them, and the commits of them while `work` runs. */
  withChangesOf<T>(
    commits: readonly [before: string, now: string],
    data: LoadedData,
    work: (changes: CommittedChanges) => Promise<T>,
  ): Promise<T>;
  /** A Java file, by a path that is absolute or relative to the root; with `text` in place of what it holds. `path` is absolute. */
  document(
    path: string,
    data: LoadedData,
    text?: string,
  ): Promise<{ readonly path: string; readonly document: DocumentView }>;
  /** Absolute path of the file that declares a class; null where there is none. */
  fileOf(className: string): Promise<string | null>;
  /** Absolute paths of all files that declare a top-level class and are called after it. */
  filesOf(className: string): Promise<readonly string[]>;
  /** The only top-level type of the sources with this simple name; null where there is none, or several. */
  typeCalled(name: string): Promise<string | null>;
  /** Declarations of methods, by their rows; methods without a source file are absent. */
  places(data: LoadedData, rows: readonly number[]): Promise<Places>;
  /** The latest first; `problems` are of snapshots that cannot be read. */
  executions(wish: ExecutionsWish): Promise<{
    readonly store: string;
    readonly project: string;
    readonly rows: readonly ExecutionRow[];
    readonly problems: readonly Problem[];
  }>;
};

export type ObjectSchema = v.GenericSchema<unknown, Record<string, unknown>>;

export type Answer<P extends ObjectSchema = ObjectSchema, R extends ObjectSchema = ObjectSchema> = {
  /** One name for the request, the tool and the page's question. */
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** For people: the meaning of an answer without rows. */
  readonly whenEmpty?: string;
  /** The answer is asked while a person types. On the page its questions go ahead of questions that were asked earlier. */
  readonly whileTyping?: true;
  readonly parameters: P;
  readonly result: R;
  answer(context: AnswerContext, parameters: v.InferOutput<P>): Promise<v.InferOutput<R>>;
};

/** An answer that only the session of an editor can give: it is about what is shown there, or about places in unsaved texts. */
export type SessionAnswer<P extends ObjectSchema = ObjectSchema, R extends ObjectSchema = ObjectSchema> = Omit<
  Answer<P, R>,
  'answer'
> & {
  /** The operation of the same name in `lsp/operations/` answers. */
  readonly needs: 'session';
};

/** Infers the types of parameters and result from the schemas. */
export function defineAnswer<P extends ObjectSchema, R extends ObjectSchema>(answer: Answer<P, R>): Answer<P, R> {
  return answer;
}

/** The same for answers of sessions, whose result is null where there is nothing to tell. */
export function defineSessionAnswer<const N extends string, P extends v.ObjectEntries, R extends ObjectSchema>(
  answer: Omit<SessionAnswer<ObjectSchema, R>, 'name' | 'needs' | 'parameters'> & {
    readonly name: N;
    readonly parameters: P;
  },
): SessionAnswer<v.StrictObjectSchema<P, undefined>, R> & { readonly name: N } {
  return { ...answer, needs: 'session', parameters: v.strictObject(answer.parameters) };
}

type ResultOf<R extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<R, undefined>>;
type Chosen<P extends v.ObjectEntries> = v.StrictObjectSchema<P & typeof LOOK, undefined>;
type WithOrigin<R extends v.ObjectEntries> = v.ObjectSchema<{ readonly origin: typeof originSchema } & R, undefined>;

/** An answer about chosen data: parameters beside those of the choice, and fields beside the origin of the numbers. */
type DataAnswer<P extends v.ObjectEntries, R extends v.ObjectEntries> = Omit<
  Answer,
  'parameters' | 'result' | 'answer'
> & {
  readonly parameters: P;
  readonly result: R;
  /** The data that the parameters are about, where these say it too. */
  lookOf?(given: v.InferOutput<Chosen<P>>): GivenLook;
  /** Answers that compare give the origin themselves: it names the baseline. */
  answer(
    data: LoadedData,
    given: v.InferOutput<Chosen<P>>,
    context: AnswerContext,
  ): Promise<ResultOf<R> & { readonly origin?: Origin }>;
};

/** Adds the choice of data to the parameters, and the origin of the numbers to the result. */
export function defineDataAnswer<P extends v.ObjectEntries, R extends v.ObjectEntries>({
  lookOf = given => given,
  ...definition
}: DataAnswer<P, R>): Answer<Chosen<P>, WithOrigin<R>> {
  return {
    ...definition,
    parameters: v.strictObject({ ...definition.parameters, ...LOOK }),
    result: v.object({ origin: originSchema, ...definition.result }),
    async answer(context, given) {
      const data = await context.data(lookOf(given));
      return { origin: originOf(data), ...(await definition.answer(data, given, context)) };
    },
  };
}

/** More are not named in one sentence. */
const MOST_VERSIONS = 8;

/** The baseline of an answer that needs one. */
export async function baselineOf(
  context: AnswerContext,
  data: LoadedData,
  version: string | null | undefined,
): Promise<Baseline> {
  const baseline = await context.baseline(data, version ?? null);
  if (baseline === null) {
    const chosen = context.reader === 'editor' ? 'the command insitu.compareWith chooses it, or ' : '';
    const others = await otherVersions(context, data);
    const program = printableName(data.provenance.program);
    if (others.length === 0)
      throw refused(
        `${program} has one version only: there is nothing to compare with`,
        'import or record another one',
      );
    const named = firstNames(others.map(printableName), MOST_VERSIONS);
    throw refused('there is nothing to compare with', `${chosen}name a version as "baseline": ${named}`);
  }
  return baseline;
}

/** Versions of the program that have data, without the versions that are looked at; the latest first. */
async function otherVersions(context: AnswerContext, { provenance }: LoadedData): Promise<readonly string[]> {
  const { program, executions } = provenance;
  const shown = new Set(executions.map(({ version }) => version));
  const { rows } = await context.executions({ all: false, program });
  return [...new Set(rows.map(({ version }) => version))].filter(version => !shown.has(version));
}

/** Places of methods, unless the asker needs none. */
export async function placesFor(
  context: AnswerContext,
  data: LoadedData,
  rows: readonly number[],
  wanted: boolean | null | undefined,
): Promise<Places> {
  return wanted === false ? new Map() : context.places(data, rows);
}

/** Nothing that ran stands at a place of a file. */
export class NothingThere extends AskFailed {}

/** An answer that cannot be given: what is wrong and what to do. */
export function refused(message: string, remedy: string): AskFailed {
  return new AskFailed([{ severity: 'error', message, remedy }]);
}
