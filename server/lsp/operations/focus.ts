// Operations that choose what is the new 100 %: a method, a call path, an expression or a saved task.

import { printableName } from '../../base/printable.ts';
import { formatProblem } from '../../base/problem.ts';
import { focusNames } from '../../features/facts/subject.ts';
import { taskRows } from '../../features/tasks.ts';
import { shareInHint } from '../../features/text/format-share.ts';
import { classNameOf, methodNameOf } from '../../features/text/runtime-names.ts';
import { classesCalled } from '../../features/why/why-subject.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import type { Choice } from '../../workspace/data/choice.ts';
import { askAbout } from '../gather.ts';
import type { About, FocusMessage, Status, TasksMessage } from '../protocol.ts';
import { type Asked, type AskedData, ask, hasData, subjectAnywhere } from './about.ts';
import { chooseAndTell, tellStatus } from './chosen.ts';
import { shareOfRow } from './messages.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { type Parameters, present } from './operation-parameters.ts';

/** Hottest methods that a person may choose from. */
const OFFERED = 8;

export const focus = operation({
  name: 'focus',
  parameters: readFocus,
  answer: async (context, wish) => {
    const asked = await ask(context, wish);
    const specs = await specsOf(context, asked, wish);
    if (specs === null) return context.session.status.withCommits();
    return applyFocus(context, asked, hasData(asked) ? specs.map(spec => wholeName(asked, spec)) : specs);
  },
  show: tellStatus,
});

export const clearFocus = operation({
  name: 'clearFocus',
  parameters: given => present({ textDocument: given.textDocument() }),
  answer: async (context, about: About) => applyFocus(context, await ask(context, about), []),
  show: tellStatus,
});

export const tasks = operation({
  name: 'tasks',
  parameters: given => present({ textDocument: given.textDocument() }),
  answer: async (context, about: About) => tasksMessage(context, await ask(context, about)),
  show: offerTasks,
});

function readFocus(given: Parameters): FocusMessage {
  const wish = present({
    textDocument: given.textDocument(),
    focus: given.textsOrNull('focus'),
    position: given.position(),
  });
  if (wish.position !== undefined && wish.textDocument === undefined) given.complain('"textDocument" is missing');
  return wish;
}

/** null when a person was asked and chose nothing. */
async function specsOf(context: Context, asked: Asked, wish: FocusMessage): Promise<readonly string[] | null> {
  const { textDocument, position, focus: named } = wish;
  if (named !== undefined && named !== null && named.length > 0) return named;
  if (textDocument !== undefined && position !== undefined) {
    const subject = hasData(asked) ? await subjectAnywhere(context, asked, { textDocument, position }) : null;
    if (subject === null || !hasData(asked)) throw new WrongParameters('nothing that ran stands at "position"');
    return focusNames(asked.data, subject.entry.methods);
  }
  if (named !== undefined || !context.asksPerson || !hasData(asked)) return [];
  const { dataset, selection, profile } = asked.data;
  const { focus: _focus, ...whole } = selection;
  const parameters = { limit: OFFERED, by: 'total', platform: false } as const;
  const subject = { dataset, selection: whole };
  const hottest = { name: 'hottest', parameters, token: context.token } as const;
  const found = await askAbout(context.session.questions, subject, hottest);
  const offers = found.rows.map(({ method, total }) => {
    const name = `${classNameOf(profile.methods, method)}.${methodNameOf(profile.methods, method)}`;
    const share = { part: total.weight, whole: found.whole.weight, samples: total.count };
    return { title: `${shareInHint(share)} ${printableName(name)}`, value: [name] };
  });
  return context.session.pages.choose('what is to be 100 %?', offers);
}

/** `Shop.search` with the package of the one class that is called so and has such a method; else, and for saved tasks, as it is. */
function wholeName({ data, settings }: AskedData, spec: string): string {
  const [, className, name] = /^([\p{L}\p{N}_$.]+)[.#]([\p{L}\p{N}_$<>]+)$/u.exec(spec) ?? [];
  if (className === undefined || settings.tasks.some(task => task.name === spec)) return spec;
  const { methods } = data.profile;
  const fitting = classesCalled(data, className).filter(each =>
    rowsOfClass(data.classes, each).some(row => methodNameOf(methods, row) === name),
  );
  return fitting.length === 1 ? `${fitting[0]}.${name}` : spec;
}

async function applyFocus(context: Context, asked: Asked, specs: readonly string[]): Promise<Status> {
  const { data, settings } = asked;
  if (data !== null && specs.length > 0) {
    const { session, token } = context;
    const parameters = { specs, saved: settings.tasks, aspects: settings.aspects };
    // The table has every method of the program, in any focus.
    const { value: fits, problems } = await askAbout(session.questions, data, { name: 'focusFits', parameters, token });
    if (!fits) throw new WrongParameters(`"focus": ${problems.map(formatProblem).join('; ')}`);
  }
  return chooseAndTell(context, asked, choice => withFocus(choice, specs));
}

function withFocus(choice: Choice, specs: readonly string[]): Choice {
  const { focus: _focus, ...others } = choice;
  return specs.length === 0 ? others : { ...others, focus: [...new Set(specs)] };
}

/** Empty also when the question was cancelled. */
async function tasksMessage({ session, token }: Context, { data, settings }: Asked): Promise<TasksMessage> {
  if (data === null || settings.tasks.length === 0) return [];
  // Under a focus on one task all others would seem to have nothing.
  const { focus: _focus, ...selection } = data.selection;
  const subject = { dataset: data.dataset, selection };
  const parameters = { definitions: settings.tasks, aspects: settings.aspects };
  const found = await askAbout(session.questions, subject, { name: 'tasks', parameters, token });
  session.logProblems(found.problems);
  const { whole, effectiveWhole } = found.value;
  return taskRows(found).map(({ name, definition, total }) => ({
    name,
    definition,
    total: shareOfRow(data, total, whole.count, effectiveWhole),
  }));
}

async function offerTasks(context: Context, rows: TasksMessage, about: About): Promise<void> {
  const { pages } = context.session;
  if (rows.length === 0)
    return pages.tell('insitu: no task has samples; insitu.json saves definitions of tasks as "tasks"');
  const offers = rows.map(({ name, total }) => ({ title: `${total.text} ${name}`, value: name }));
  const chosen = await pages.choose('which task is to be 100 %?', offers);
  if (chosen === null) return;
  tellStatus(context, await applyFocus(context, await ask(context, about), [chosen]));
}
