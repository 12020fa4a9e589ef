// Operations that choose what is looked at: program, version, instances, time, threads and metric; the commands ask for one of them.

import { metricRow } from '../../analysis/select-data.ts';
import { spanFlaw } from '../../analysis/selection.ts';
import { groupsOfSingle, noSingleThread, threadsLike } from '../../analysis/threads-like.ts';
import { momentText } from '../../base/moment-text.ts';
import { printableName } from '../../base/printable.ts';
import { listedMetrics } from '../../cct/listed-metrics.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import type { GivenLook } from '../../model/look.ts';
import { CHANGED_LOOK } from '../../model/look-schema.ts';
import type { Choice } from '../../workspace/data/choice.ts';
import { askAbout } from '../gather.ts';
import type { SelectMessage, Status } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { choicesOf } from './choices.ts';
import { chooseAndTell, tellStatus } from './chosen.ts';
import { type Context, type Operation, operation, WrongParameters } from './operation.ts';
import { ABOUT } from './operation-parameters.ts';
import { windowChoices } from './window-choices.ts';

/** The focus has an operation of its own, which takes places too. */
const { focus: _focus, ...WITHOUT_FOCUS } = CHANGED_LOOK;
const PARAMETERS = { ...ABOUT, ...WITHOUT_FOCUS };

export const select = operation({
  name: 'select',
  parameters: PARAMETERS,
  flaw: mistakeInSpan,
  answer: applySelect,
  show: tellStatus,
});

function mistakeInSpan(wish: GivenLook): string | null {
  return spanFlaw(wish)?.message ?? null;
}

async function applySelect(context: Context, wish: SelectMessage): Promise<Status> {
  const asked = await ask(context, wish);
  refuseUnknown(asked, wish);
  await refuseMistake(context, asked, wish);
  return chooseAndTell(context, asked, choice => withSelected(choice, withoutUsual(asked, wish)));
}

/** The wish without the metric that is shown anyway: it is no choice. */
function withoutUsual({ data, settings }: Asked, wish: SelectMessage): SelectMessage {
  const usual = data === null ? null : metricRow(data.profile, settings.metric);
  return usual !== null && wish.metric === data?.profile.metrics[usual]?.id ? { ...wish, metric: null } : wish;
}

/** Refuses names that the loaded data do not have, at once; names that the store does not have are told when it has been read. */
function refuseUnknown({ data }: Asked, { metric, threads }: SelectMessage): void {
  if (data === null) return;
  const { threads: table } = data.profile;
  const ids = listedMetrics(data.profile).map(({ id }) => id);
  if (typeof metric === 'string' && !ids.includes(metric))
    throw new WrongParameters(`"metric" must be one of ${ids.map(printableName).join(', ')}`);
  const groups = groupsOfSingle(table, threads ?? []);
  if (groups.length > 0) throw new WrongParameters(noSingleThread(groups, threads ?? []).message);
  if (threads !== undefined && threads !== null && threads.length > 0 && !threadsLike(table, threads).includes(1))
    throw new WrongParameters(
      `"threads" fits none; some are ${[...new Set(table.name.map(threadGroupName))].slice(0, 12).map(printableName).join(', ')}`,
    );
}

/** The mistake of a path, with its column, so that what was shown before stays. */
async function refuseMistake({ session, token }: Context, { data, settings }: Asked, { path }: SelectMessage) {
  if (data === null || typeof path !== 'string') return;
  const { path: _path, ...selection } = data.selection;
  const parameters = { query: path, aspects: settings.aspects, view: null, refine: null, least: 0, most: 0 };
  const subject = { dataset: data.dataset, selection };
  const found = await askAbout(session.questions, subject, { name: 'paths', parameters, token });
  if (found.kind !== 'mistake') return;
  const { from, message, remedy } = found.mistake;
  throw new WrongParameters(`"path", column ${from + 1}: ${message} (${remedy})`);
}

/** An absent key stays as it is, null takes the wish back; an empty list wishes nothing. */
function withSelected(choice: Choice, wish: SelectMessage): Choice {
  const { textDocument: _textDocument, instances, threads, ...others } = wish;
  const list = (wished: readonly string[] | null | undefined) => (wished?.length === 0 ? null : wished);
  return changed(choice, { ...others, instances: list(instances), threads: list(threads) });
}

/** A wish takes the place of the earlier choice; null takes the choice back. */
function changed<T extends object>(before: T, wished: { readonly [K in keyof T]?: T[K] | null | undefined }): T {
  const wishes = Object.entries(wished).filter(([, value]) => value !== undefined);
  const after = { ...before, ...Object.fromEntries(wishes) };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)) as T;
}

type Offer = { readonly title: string; readonly value: SelectMessage };

const EVERYTHING: SelectMessage = { instances: null, from: null, to: null };

/** A command that does the same as `select`, and asks where none of its keys is given. */
function asking(
  name: string,
  question: string,
  keys: readonly (keyof SelectMessage)[],
  offersOf: (context: Context, asked: Asked) => Promise<readonly Offer[]>,
): Operation {
  return operation({
    name,
    commandOnly: true,
    parameters: PARAMETERS,
    flaw: mistakeInSpan,
    answer: async (context, wish) => {
      if (!context.asksPerson || keys.some(key => wish[key] !== undefined)) return applySelect(context, wish);
      const asked = await ask(context, wish);
      const offers = await offersOf(context, asked);
      const chosen = await context.session.pages.choose(question, offers);
      return applySelect(context, { ...wish, ...chosen });
    },
    show: tellStatus,
  });
}

export const selectExecution = asking(
  'selectExecution',
  'which version is to be shown?',
  ['program', 'version'],
  async (context, asked) => {
    const { executions } = await choicesOf(context, asked);
    const versions = Map.groupBy(executions, ({ program, version }) => JSON.stringify([program, version]));
    const offers = Array.from(versions.values(), rows => {
      const { program, version } = rows[0]!;
      const latest = Math.max(...rows.map(({ to }) => Date.parse(to)));
      const shown = rows.some(row => row.shown) ? ' (shown)' : '';
      const title = `${program} ${version} · ${momentText(latest)}${shown}`;
      return { title, value: { ...EVERYTHING, program, version } };
    });
    return [{ title: 'What the settings say', value: { ...EVERYTHING, program: null, version: null } }, ...offers];
  },
);

export const selectInstances = asking(
  'selectInstances',
  'which instance is to be shown?',
  ['instances'],
  async (context, asked) => {
    const { executions } = await choicesOf(context, asked);
    const shown = executions.filter(row => row.shown);
    const alike = executions.filter(row =>
      shown.some(({ program, version }) => row.program === program && row.version === version),
    );
    const names = [...new Set(alike.map(({ instance }) => instance))];
    return [
      { title: 'All instances', value: { instances: null } },
      ...names.map(instance => ({ title: instance, value: { instances: [instance] } })),
    ];
  },
);

export const selectWindows = asking(
  'selectWindows',
  'which time is to be shown?',
  ['from', 'to'],
  async (_, { data }) => [
    { title: 'All the time', value: { from: null, to: null } },
    ...(data === null ? [] : windowChoices(data)),
  ],
);

export const selectThreads = asking(
  'selectThreads',
  'which threads are to be shown?',
  ['threads'],
  async (context, asked) => {
    const { threads } = await choicesOf(context, asked);
    const byName = Map.groupBy(threads, ({ name }) => name);
    const offers = Array.from(byName, ([name, rows]) => ({
      name,
      share: rows.reduce((sum, row) => sum + row.share, 0),
    }));
    return [
      { title: 'All threads', value: { threads: null } },
      ...offers.map(({ name, share }) => ({
        title: `${(100 * share).toFixed(0)}% ${name}`,
        value: { threads: [name] },
      })),
    ];
  },
);

export const selectMetric = asking('selectMetric', 'which metric is to be shown?', ['metric'], async (_, { data }) => [
  { title: 'What the settings say', value: { metric: null } },
  ...(data === null ? [] : listedMetrics(data.profile)).map(({ id }) => ({
    title: id === data?.metric.id ? `${id} (shown)` : id,
    value: { metric: id },
  })),
]);
