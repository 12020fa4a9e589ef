// Operations that choose what is the new 100 %: a method, a call path, an expression or a saved task.

import { printableName } from '../../base/printable.ts';
import { formatProblem } from '../../base/problem.ts';
import { focusNames } from '../../features/facts/subject.ts';
import { partOf, shareInHint } from '../../features/text/format-share.ts';
import { classNameOf, methodNameOf } from '../../features/text/runtime-names.ts';
import { classesCalled } from '../../features/why/why-subject.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { askAbout } from '../gather.ts';
import type { FocusMessage, Status } from '../protocol.ts';
import { type Asked, type AskedData, ask, hasData, subjectAnywhere } from './about.ts';
import { chooseAndTell, tellStatus } from './chosen.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { ABOUT, choice, SUBJECT, texts } from './operation-parameters.ts';

/** Tasks that a person may choose from, and hottest methods. */
const OFFERED_TASKS = 20;
const OFFERED_METHODS = 8;

export const focus = operation({
  name: 'focus',
  parameters: { ...ABOUT, focus: choice(texts), position: SUBJECT.position },
  flaw: ({ textDocument, position }) =>
    position !== undefined && textDocument === undefined ? '"position" needs a "textDocument"' : null,
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
  parameters: ABOUT,
  answer: async (context, about) => applyFocus(context, await ask(context, about), []),
  show: tellStatus,
});

/** null when a person was asked and chose nothing. */
async function specsOf(
  context: Context,
  asked: Asked,
  { textDocument, position, focus: named }: FocusMessage,
): Promise<readonly string[] | null> {
  if (named !== undefined && named !== null && named.length > 0) return named;
  if (textDocument !== undefined && position !== undefined) {
    const subject = hasData(asked) ? await subjectAnywhere(context, asked, { textDocument, position }) : null;
    if (subject === null || !hasData(asked)) throw new WrongParameters('nothing that ran stands at "position"');
    return focusNames(asked.data, subject.entry.methods);
  }
  if (named !== undefined || !context.asksPerson || !hasData(asked)) return [];
  return context.session.pages.choose('what is to be 100 %?', await offersOf(context, asked));
}

/** The saved tasks, then the hottest methods, whatever the focus is now. */
async function offersOf({ session, token }: Context, { data, settings }: AskedData) {
  const { dataset, selection, profile } = data;
  const { focus: _focus, ...everything } = selection;
  const subject = { dataset, selection: everything };
  const offer = (name: string, part: Amount, whole: Amount) => ({
    title: `${shareInHint(partOf(part, whole))} ${printableName(name)}`,
    value: [name],
  });
  const saved = { definitions: settings.tasks, aspects: settings.aspects };
  const { value, problems } = await askAbout(session.questions, subject, { name: 'tasks', parameters: saved, token });
  session.logProblems(problems);
  const hottest = { limit: OFFERED_METHODS, by: 'total', platform: false } as const;
  const methods = await askAbout(session.questions, subject, { name: 'hottest', parameters: hottest, token });
  const nameOf = (row: number) => `${classNameOf(profile.methods, row)}.${methodNameOf(profile.methods, row)}`;
  return [
    ...value.tasks.slice(0, OFFERED_TASKS).map(({ name, amount }) => offer(name, amount, value.whole)),
    ...methods.rows.map(({ method, total }) => offer(nameOf(method), total, methods.whole)),
  ];
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
  return chooseAndTell(context, asked, ({ focus: _focus, ...others }) =>
    specs.length === 0 ? others : { ...others, focus: [...new Set(specs)] },
  );
}
