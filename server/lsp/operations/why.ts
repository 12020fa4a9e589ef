// The operation that says why a method has the number it has, or none.
import { printableLine, printableName } from '../../base/printable.ts';
import { NOTHING_RECORDED } from '../../base/problem.ts';
import type { HeaviestWays, WayStep } from '../../features/why/heaviest-ways.ts';
import { whyOf } from '../../features/why/why.ts';
import { subjectAtLine, subjectOfMethod, type WhySubject } from '../../features/why/why-subject.ts';
import { reachOf } from '../gather.ts';
import type { Subject, WayRow, WhyMessage } from '../protocol.ts';
import type { PageRow } from '../showing/page-text.ts';
import { type AskedData, ask, hasData, originText, placesOf, subjectAnywhere } from './about.ts';
import { numbersOf } from './around.ts';
import { methodMessage, shareInPath, shareOfRow } from './messages.ts';
import { type Context, operation } from './operation.ts';

export const why = operation({
  name: 'why',
  parameters: given => given.subject(),
  answer: whyMessage,
  show: showWhy,
});

/** null where nothing stands that could run, and while there are no data. */
async function whyMessage(context: Context, subject: Subject): Promise<WhyMessage | null> {
  const asked = await ask(context, subject);
  const found = hasData(asked) ? await subjectOfWhy(context, asked, subject) : null;
  if (!hasData(asked) || found === null) return null;
  const { data, settings } = asked;
  const reach = reachOf(context.session, context.token);
  const why = await whyOf(data, found, settings, { reader: 'editor', reach });
  const { verdict, subject: title, total, explanation, remedy, nearest, ways } = why;
  return {
    verdict,
    subject: printableName(title),
    total: total === null ? null : shareOfRow(data, total, data.analysis.whole.count, data.values.effectiveWhole),
    explanation: printableLine(explanation),
    remedy: printableLine(remedy),
    nearest,
    ways: ways === null ? null : await waysMessage(context, asked, ways),
  };
}

async function waysMessage(
  context: Context,
  asked: AskedData,
  { into, on }: HeaviestWays,
): Promise<NonNullable<WhyMessage['ways']>> {
  const { data } = asked;
  const locate = await placesOf(
    context,
    asked,
    [...into, ...on].map(({ method }) => method),
  );
  const rowOf = ({ method, part, whole }: WayStep): WayRow => ({
    method: methodMessage(data, method, locate),
    share: shareInPath(data, part, whole),
  });
  return { into: into.map(rowOf), on: on.map(rowOf) };
}

/** What ran at the place, else the declaration around it, seen or not. */
async function subjectOfWhy(context: Context, asked: AskedData, subject: Subject): Promise<WhySubject | null> {
  const { data, document } = asked;
  if ('method' in subject) {
    const { className, name, descriptor } = subject.method;
    return subjectOfMethod(data, className, descriptor === null ? name : `${name}${descriptor}`, document);
  }
  const ran = await subjectAnywhere(context, asked, subject);
  const around = document === null ? null : subjectAtLine(document, subject.position.line + 1);
  const isAround = around !== null && (around.entry === ran?.entry || around.source === 'bodiless');
  if (ran === null || isAround) return around;
  const [first] = ran.entry.methods;
  const { className, name } = data.profile.methods;
  const text = (row: number) => data.profile.methods.strings[row]!;
  return {
    title: ran.label,
    className: text(className[first!]!),
    name: text(name[first!]!),
    entry: ran.entry,
    source: 'declared',
    siblings: [],
    formerNames: [],
  };
}

async function showWhy(context: Context, answer: WhyMessage | null, subject: Subject): Promise<void> {
  const { pages } = context.session;
  if (answer === null) {
    if (!hasData(await ask(context, subject)))
      return pages.tell(`insitu: ${NOTHING_RECORDED.message}; ${NOTHING_RECORDED.remedy}`);
    return pages.tell('insitu: no method, constructor, initialiser or lambda stands here');
  }
  await pages.show({
    file: 'why',
    title: `${answer.subject}: ${answer.verdict}`,
    intro: [answer.explanation, answer.remedy, await originText(context, subject)],
    head: ['way', 'of its time', 'samples', 'method'],
    rows: [...wayRows('mostly called by', answer.ways?.into), ...wayRows('mostly spent in', answer.ways?.on)],
    whenEmpty: answer.nearest.length === 0 ? '' : `Of a similar name: ${answer.nearest.join(', ')}.`,
  });
}

function wayRows(title: string, rows: readonly WayRow[] = []): PageRow[] {
  return rows.map(({ method, share }, at) => ({
    cells: [at === 0 ? title : '', ...numbersOf(share)],
    name: method.label,
    place: method,
  }));
}
