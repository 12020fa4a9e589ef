// The commands that ask about code and choose what is looked at; each turns what the user says into one of the server's operations.
import type {
  AssumeAnswer,
  CallHierarchy,
  Choices,
  CompareMessage,
  FocusMessage,
  ImplementationsMessage,
  IterationsAnswer,
  Look,
  MethodName,
  Position,
  SelectMessage,
  SlowerCallers,
  Status,
  StopRecordingAnswer,
  Subject,
  TagsOfVersions,
  ViewStart,
} from 'insitu/protocol';
import * as vscode from 'vscode';
import { showAspects } from './aspects.ts';
import { countCalls, importRecording, record, recordingWish } from './bring-recordings.ts';
import type { Ask } from './calls.ts';
import { type Chip, metricName, shownSource } from './chips.ts';
import {
  baselineChoices,
  type Choice,
  executionWish,
  implementationChoices,
  instanceChoices,
  metricChoices,
  movedChoices,
  pathChoices,
  slowerChoices,
  spanOf,
  tasksOf,
  threadChoices,
  threadRows,
  versionChoices,
  windowChoices,
} from './choices.ts';
import { placeOf } from './client.ts';
import { showFindings } from './findings.ts';
import { hasNoData, noDataText } from './no-data.ts';
import { inform } from './notices.ts';
import { goTo } from './open-source.ts';
import { methodMarkdown, whyPage } from './pages.ts';
import { type FilterSurroundings, filterByPath } from './path-filter.ts';
import { offerWays, pick, pickSeveral, shownChoice, tell } from './picking.ts';
import type { ShowSources } from './recorded-sources.ts';
import { hotMethodText, taskText } from './rows.ts';
import { linkTo } from './shared-view.ts';
import { shortHashes, shownText, withoutPackages } from './shown-text.ts';
import type { CallsView } from './views.ts';

/** The argument of a command: from a link, a lens or a row of a view. */
type Given = {
  readonly textDocument?: { readonly uri: string };
  readonly position?: Position;
  readonly method?: MethodName;
  readonly methods?: readonly MethodName[];
  readonly name?: string;
  readonly view?: string;
  readonly definition?: string;
  readonly path?: string;
  readonly chip?: Chip;
} & Pick<Look, 'program' | 'version'>;

export type CommandSurroundings = FilterSurroundings & {
  readonly calls: CallsView;
  /** Shows HTML as a page of that title. */
  readonly page: (title: string, html: string) => void;
  /** Shows the page of pictures, which begins with what its address says; empty for everything. */
  readonly picture: (address: string) => void;
  readonly sources: ShowSources;
};

/** Command → what it does. */
export function askingCommands({
  ask,
  askQuietly,
  calls,
  took,
  page,
  picture,
  sources,
}: CommandSurroundings): Record<string, (given?: Given) => Promise<void>> {
  const select = async (wish: SelectMessage): Promise<void> => took(await ask<Status>('select', wish));
  const focus = async (wish: FocusMessage): Promise<void> => took(await ask<Status>('focus', wish));
  const compareWith = async (wish: CompareMessage): Promise<void> => {
    const status = await ask<Status>('compareWith', wish);
    took(status);
    if (status !== null && Object.keys(wish).length > 0) await findings();
  };
  const executions = (): Promise<Choices | null> => ask<Choices>('choices', {});
  /** Picks one of what `choices` makes of the executions, and does something with it. */
  const pickFrom =
    <Value>(title: string, choices: (answer: Choices) => Choice<Value>[], then: (value: Value) => Promise<void>) =>
    async (): Promise<void> => {
      const answer = await executions();
      const chosen = answer && (await pick(title, choices(answer)));
      if (chosen) await then(chosen.value);
    };
  const showPicture = async (given?: Given): Promise<void> => {
    const start = await ask<ViewStart>('viewStart', subjectGiven(given) ?? {});
    if (start !== null) picture(start.of === null ? '' : `of=${start.of}`);
  };
  const showBlueprint = async (given?: Given): Promise<void> => {
    const start = await ask<ViewStart>('viewStart', subjectGiven(given) ?? {});
    if (start !== null) picture(`view=blueprint${start.of === null ? '' : `&method=${start.of}`}`);
  };
  const why = (given?: Given): Promise<void> => showWhy(ask, given, page);
  const findings = async (): Promise<void> => {
    const tags = await tagsShown(ask);
    return showFindings({ ask, sources, blueprint: showBlueprint, why }, version => shortHashes(version, tags));
  };
  return {
    'insitu.callers': async given => showCalls(calls, given, 'incoming'),
    'insitu.callees': async given => showCalls(calls, given, 'outgoing'),
    'insitu.threads': async given => showThreads(ask, given),
    'insitu.why': why,
    'insitu.implementations': async given => showImplementations(ask, given),
    'insitu.heaviestPath': async given => showPath(ask, subjectGiven(given)),
    'insitu.heaviestPathOfAll': async () => showPath(ask, null),
    // A code action of the server asks for the blueprint by this command.
    'insitu.showPicture': async given => (given?.view === 'blueprint' ? showBlueprint(given) : showPicture(given)),
    'insitu.showWholePicture': async () => picture(''),
    'insitu.showBlueprint': showBlueprint,
    'insitu.showWholeBlueprint': async () => picture('view=blueprint'),
    'insitu.copyMarkdown': async given => copyMarkdown(ask, given),
    'insitu.copyLink': async () => {
      const source = shownSource(await ask<Status>('status', {}));
      if (source === null) return tell(['nothing is shown that a link could lead to.']);
      await vscode.env.clipboard.writeText(linkTo(vscode.env.uriScheme, source));
      tell(['the link is copied: it shows this version, metric and focus in a window with this project.']);
    },
    'insitu.clearChoice': async given => {
      if (given?.chip !== undefined) took(await ask<Status>(given.chip.operation, given.chip.parameters));
      else await ask<Status>('status', {}).then(took);
    },
    'insitu.clearAll': async () => {
      await select({
        ...{ program: null, version: null, metric: null, threads: null, instances: null, path: null },
        ...{ from: null, to: null },
      });
      await compareWith({});
      took(await ask<Status>('clearFocus', {}));
    },
    'insitu.showCpu': () => showMetric({ ask, select }, ['cpu-time', 'cpu']),
    'insitu.showAllocations': () => showMetric({ ask, select }, ['alloc']),
    'insitu.showLocks': () => showMetric({ ask, select }, ['lock']),
    'insitu.focus': async given => focus((await focusWish(ask, given)) ?? { focus: null }),
    'insitu.clearFocus': async () => took(await ask<Status>('clearFocus', {})),
    'insitu.tasks': async () => {
      const rows = (await tasksOf(ask)).map(task => ({ ...taskText(task), value: task.name }));
      const chosen = await pickSeveral('Make tasks the new 100 %', rows);
      if (chosen !== undefined && chosen.length > 0) await focus({ focus: chosen });
    },
    'insitu.selectExecution': async given => {
      if (given?.version !== undefined) return select(executionWish(given.program ?? null, given.version));
      return pickFrom('Show the numbers of', versionChoices, select)();
    },
    'insitu.selectMetric': pickFrom('Show the metric', metricChoices, select),
    'insitu.selectThreads': async () => {
      const answer = await executions();
      const chosen = answer && (await pickSeveral('Only these threads (none for all)', threadChoices(answer)));
      if (chosen) await select({ threads: chosen.length === 0 ? null : chosen });
    },
    'insitu.selectPath': async given => filterByPath({ ask, askQuietly, took }, given?.path),
    'insitu.aspects': async () => {
      const answer = await ask('aspects', {});
      if (answer === null) return tellNothingRan(ask);
      const overTime = () => picture('view=aspects');
      await showAspects(answer, { filter: path => select({ path }), overTime });
    },
    'insitu.selectInstances': async () => {
      const answer = await executions();
      const chosen = answer && (await pickSeveral('Only these instances (none for all)', instanceChoices(answer)));
      if (chosen) await select({ instances: chosen.length === 0 ? null : chosen });
    },
    'insitu.selectWindows': async () => {
      const answer = await executions();
      const rows = answer === null ? [] : windowChoices(answer);
      const chosen =
        answer && (await pickSeveral('Only this time, from the first to the last chosen (none for all)', rows));
      if (chosen) await select(spanOf(chosen, rows.length) ?? { from: null, to: null });
    },
    'insitu.compareWith': async given => {
      if (given?.version !== undefined) return compareWith({ version: given.version });
      return pickFrom('Compare shares with', baselineChoices, async value => {
        const wish = value === 'file' ? await recordingWish() : value;
        if (wish !== null) await compareWith(wish);
      })();
    },
    'insitu.findings': async () => comparedThen(ask, findings),
    'insitu.moved': async () => comparedThen(ask, () => showMoved(ask)),
    'insitu.assume': async given => assume(ask, given),
    'insitu.iterations': async given => keepIterations(ask, given),
    'insitu.slowerCallers': async given => showSlowerCallers(ask, given),
    'insitu.importRecording': async () => importRecording({ ask, select, compareWith }),
    'insitu.record': async () => record(ask),
    'insitu.countCalls': async given => {
      const subject = subjectGiven(given);
      if (subject !== null) await countCalls(ask, subject);
    },
    'insitu.stopRecording': async () => {
      const answer = await ask<StopRecordingAnswer>('stopRecording', {});
      if (answer !== null) tell(answer.stopped === 0 ? ['nothing is being recorded.'] : answer.problems);
    },
  };
}

/** Asks for a method and a time, and predicts as if its calls took that. */
async function assume(ask: Ask, given: Given | undefined): Promise<void> {
  const named = given?.method === undefined ? '' : `${given.method.className}.${given.method.name}`;
  const method = await vscode.window.showInputBox({
    title: 'Predict as if calls of a method took another time',
    value: named,
    prompt: 'The method, such as Shop.search.',
    validateInput: text => (text.trim() === '' ? 'Name a method.' : null),
  });
  if (method === undefined) return;
  const time = await vscode.window.showInputBox({
    title: `Calls of ${method.trim()} take`,
    prompt: 'A time, such as 5 ms. Empty: what was measured.',
    validateInput: text => (/^\s*(\d+(\.\d+)?\s*(ns|µs|us|ms|s|min)\s*)?$/.test(text) ? null : 'A time, such as 5 ms.'),
  });
  if (time === undefined) return;
  await ask<AssumeAnswer>('assume', { method: method.trim(), time: time.trim() === '' ? null : time.trim() });
}

/** Asks how often the loop at a place runs, and has the answer kept in the project. */
async function keepIterations(ask: Ask, given: Given | undefined): Promise<void> {
  const subject = subjectGiven(given);
  if (subject === null || !('position' in subject)) return;
  const times = await vscode.window.showInputBox({
    title: 'How often does this loop run?',
    prompt: 'Iterations of one run. The answer is kept in insitu.json.',
    validateInput: text => (/^\s*\d{1,9}\s*$/.test(text) ? null : 'A whole number.'),
  });
  if (times === undefined) return;
  const { textDocument, position } = subject;
  const kept = await ask<IterationsAnswer>('iterations', { textDocument, position, times: Number(times) });
  if (kept === null) return;
  const missing = kept.outer === null ? [] : [`How often ${kept.outer} around it runs is not known yet.`];
  tell([`insitu.json says now that ${kept.loop} runs ${kept.times} times.`, ...missing]);
}

/** Lists the callers that the edit at a place is predicted to make slower, to go to. */
async function showSlowerCallers(ask: Ask, given: Given | undefined): Promise<void> {
  const subject = subjectOf(given);
  if (subject === null || !('position' in subject)) return;
  const answer = await ask<SlowerCallers | null>('slowerCallers', subject);
  if (answer === null) return tell(['nothing is predicted of a method here.']);
  if (answer.rows.length === 0) return tell([`no caller of ${shownText(answer.method)} that was timed gets slower.`]);
  const chosen = await pick(`Callers that ${answer.method} makes slower`, slowerChoices(answer));
  if (chosen?.value.location) await goTo(chosen.value.location);
}

/** A row, a link, or the place of the cursor in a Java file; null elsewhere. */
function subjectGiven(given: Given | undefined): Subject | null {
  if (given?.textDocument !== undefined && given.position !== undefined)
    return { textDocument: given.textDocument, position: given.position };
  const method = given?.method ?? given?.methods?.[0];
  if (method !== undefined) return { method: nameOf(method) };
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'java') return null;
  return { textDocument: { uri: editor.document.uri.toString() }, position: placeOf(editor.selection.active) };
}

/** The same; tells the user where there is none. */
function subjectOf(given: Given | undefined): Subject | null {
  const subject = subjectGiven(given);
  if (subject === null) void inform('insitu: put the cursor on a method in a Java file first.');
  return subject;
}

/** A row's method has further fields, which the server would refuse. */
function nameOf({ className, name, descriptor }: MethodName): MethodName {
  return { className, name, descriptor };
}

function writtenName({ className, name }: MethodName): string {
  return `${className}#${name}`;
}

async function showCalls(
  calls: CallsView,
  given: Given | undefined,
  direction: 'incoming' | 'outgoing',
): Promise<void> {
  const subject = subjectOf(given);
  if (subject !== null) await calls.show(subject, direction);
}

async function showThreads(ask: Ask, given: Given | undefined): Promise<void> {
  const subject = subjectOf(given);
  const answer = subject && (await ask('threads', subject));
  if (answer) await pick(`${answer.subjectText} ran on`, threadRows(answer));
  else if (subject !== null) await tellNothingRan(ask);
}

async function showWhy(ask: Ask, given: Given | undefined, page: CommandSurroundings['page']): Promise<void> {
  const subject = subjectOf(given);
  if (subject === null) return;
  const answer = await ask('why', subject);
  if (answer === null) return tellNothing(ask, 'nothing stands here that could run');
  const hasRun = answer.ofAll !== null && answer.ofAll.count !== 0;
  const inside = {
    callees: hasRun ? await ask('callees', subject) : null,
    callers: hasRun ? await ask('callers', subject) : null,
    path: hasRun ? await ask('heaviestPath', subject) : null,
  };
  page(`Why ${shownText(withoutPackages(answer.subject))}`, whyPage(answer, inside, await tagsShown(ask)));
}

async function tagsShown(ask: Ask): Promise<TagsOfVersions> {
  return shownSource(await ask<Status>('status', {}))?.tags ?? {};
}

/** From a subject, or from everything where there is none or it did not run. */
async function showPath(ask: Ask, subject: Subject | null): Promise<void> {
  const own = subject === null ? null : await ask('heaviestPath', subject);
  const path = own ?? (await ask('heaviestPath', {}));
  const choices = path === null ? [] : pathChoices(path);
  if (choices.length === 0) return tellNothingRan(ask);
  const from = own === null ? 'everything' : shownText(own.rows[0]?.method.label ?? '');
  const chosen = await pickFromPath(`The heaviest path from ${from}; shares of all`, choices);
  if (chosen?.location) await goTo(chosen.location);
}

/** The list of the protocol has no room for shares, and editors sort it by file. */
async function showImplementations(ask: Ask, given: Given | undefined): Promise<void> {
  const subject = subjectOf(given);
  if (subject === null || !('position' in subject)) return;
  const found = await ask<ImplementationsMessage>('implementations', subject);
  if (found === null || found.length === 0) return tellNothingRan(ask);
  const chosen = await pick('Implementations that ran; shares of all', implementationChoices(found));
  if (chosen !== undefined) await goTo(chosen.value);
}

/** The list begins at the last method with a source: that is where the path leads. */
function pickFromPath(
  title: string,
  choices: ReturnType<typeof pathChoices>,
): Promise<(typeof choices)[number]['value'] | null> {
  const list = vscode.window.createQuickPick<(typeof choices)[number]>();
  list.title = title;
  list.items = choices.map(shownChoice);
  list.matchOnDescription = true;
  list.activeItems = list.items.filter(({ value }) => value.location !== null).slice(-1);
  return new Promise(resolve => {
    list.onDidAccept(() => {
      resolve(list.selectedItems[0]?.value ?? null);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(null);
      list.dispose();
    });
    list.show();
  });
}

/** Methods that moved, to choose from. */
const MOST_MOVED = 50;

/** Levels of callers that a copied stack has above the method. */
const COPIED_CALLERS = 4;

async function copyMarkdown(ask: Ask, given: Given | undefined): Promise<void> {
  const subject = subjectOf(given);
  const path = subject && (await ask('heaviestPath', subject));
  if (subject === null) return;
  if (path === null || path.rows.length === 0) return tellNothingRan(ask);
  const callers = await ask<CallHierarchy>('callHierarchy', {
    ...subject,
    direction: 'incoming',
    depth: COPIED_CALLERS,
  });
  const source = shownSource(await ask<Status>('status', {}));
  const link = source === null ? null : linkTo(vscode.env.uriScheme, source);
  await vscode.env.clipboard.writeText(methodMarkdown(path, callers, source, link));
  tell([`${shownText(path.rows[0]?.method.label ?? '')} is copied as Markdown.`]);
}

type Selecting = { readonly ask: Ask; readonly select: (wish: SelectMessage) => Promise<void> };

/** Shows the first of the metrics that was recorded. */
async function showMetric({ ask, select }: Selecting, ids: readonly string[]): Promise<void> {
  const answer = await ask<Choices>('choices', {});
  if (answer === null) return;
  const recorded = answer.metrics.map(({ id }) => id);
  const found = ids.find(id => recorded.includes(id));
  if (found !== undefined) return select({ metric: found });
  const others = recorded.map(id => shownText(metricName(id))).join(', ');
  tell([`"${metricName(ids[0] ?? '')}" was not recorded${others === '' ? '.' : `; there are: ${others}.`}`]);
}

function tellNothingRan(ask: Ask): Promise<void> {
  return tellNothing(ask, 'nothing here was seen running; “insitu: Why this has its number, or none” tells why');
}

/** Without data that is the reason, and the ways to get some are offered. */
async function tellNothing(ask: Ask, text: string): Promise<void> {
  const status = await ask<Status>('status', {});
  if (status !== null && hasNoData(status)) return offerWays(noDataText(status));
  tell([`${text}.`]);
}

/** Hottest methods that are offered as a focus. */
const OFFERED_METHODS = 50;

/** By row, by link, by the cursor in a Java file, else one of the hottest methods; null where nothing is chosen. */
async function focusWish(ask: Ask, given: Given | undefined): Promise<FocusMessage | null> {
  if (given?.name !== undefined && given.definition !== undefined) return { focus: [given.name] };
  const methods = given?.methods ?? (given?.method === undefined ? [] : [given.method]);
  if (methods.length > 0) return { focus: [...new Set(methods.map(writtenName))] };
  if (given?.textDocument !== undefined && given.position !== undefined)
    return { textDocument: given.textDocument, position: given.position };
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === 'java')
    return { textDocument: { uri: editor.document.uri.toString() }, position: placeOf(editor.selection.active) };
  const hot = (await ask('top', { limit: OFFERED_METHODS }))?.rows ?? [];
  const chosen = await pick(
    'Make a method the new 100 %',
    hot.map(row => ({ ...hotMethodText(row), value: writtenName(row.method) })),
  );
  return chosen === undefined ? null : { focus: [chosen.value] };
}

/** Does something with what is compared; without a baseline one is offered. */
async function comparedThen(ask: Ask, then: () => Promise<void>): Promise<void> {
  const source = shownSource(await ask<Status>('status', {}));
  if (source === null || source.baseline !== null) return then();
  const compare = 'Compare with …';
  const chosen = await inform('insitu: there is no baseline to compare with.', compare);
  if (chosen === compare) await vscode.commands.executeCommand('insitu.compareWith');
}

async function showMoved(ask: Ask): Promise<void> {
  const answer = await ask('moved', { limit: MOST_MOVED });
  if (answer === null) return;
  const baseline = shortHashes(answer.origin.baseline ?? '', await tagsShown(ask));
  const chosen = await pick(`Moved against ${baseline}`, movedChoices(answer));
  if (chosen?.value.location) await goTo(chosen.value.location);
}
