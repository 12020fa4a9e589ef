// Operations about what stands around a method: who calls it, whom it calls, and on which threads it runs.

import { factsOf } from '../../analysis/ask.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import {
  aroundNeeds,
  calleesOfSubject,
  callersOfSubject,
  type AroundRow as FoundRow,
  threadsOfSubject,
} from '../../features/around.ts';
import type { Subject as FoundSubject } from '../../features/facts/subject.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { gather } from '../gather.ts';
import type { About, Around, AroundRow, ShareMessage, Subject, ThreadsAround } from '../protocol.ts';
import type { Page } from '../showing/page-text.ts';
import { type AskedData, ask, hasData, originText, placesOf, subjectIn } from './about.ts';
import { type Locator, methodMessage, shareMessage } from './messages.ts';
import { type Context, type Operation, operation } from './operation.ts';

/** Longer lists are cut: the rest is next to nothing. */
const MOST_ROWS = 200;

const NOTHING = 'Nothing of what stands here was seen running.';

export const callers = listOperation('callers', {
  verb: 'Who calls',
  call: 'calls it',
  whenEmpty: 'It was seen with no caller.',
});

export const callees = listOperation('callees', {
  verb: 'What runs below',
  call: 'called',
  whenEmpty: 'It was seen calling nothing.',
});

export const threads = operation({
  name: 'threads',
  parameters: given => given.subject(),
  answer: threadsAround,
  show: showThreads,
});

/** What a list of calls says of its rows. */
type CallWords = { readonly verb: string; readonly call: string; readonly whenEmpty: string };

function listOperation(name: 'callers' | 'callees', words: CallWords): Operation {
  return operation({
    name,
    parameters: given => given.subject(),
    answer: (context, subject: Subject) => around(context, subject, name),
    show: (context, answer: Around | null, subject) => showAround(context, answer, subject, { file: name, ...words }),
  });
}

async function around(context: Context, subject: Subject, fact: 'callers' | 'callees'): Promise<Around | null> {
  const asked = await ask(context, subject);
  const found = hasData(asked) ? await subjectIn(context, asked, subject) : null;
  if (!hasData(asked) || found === null) return null;
  const { data } = asked;
  if (!(await gather(context.session, aroundNeeds(data, found, fact), context.token))) return null;
  const { whole, samples, rows } = (fact === 'callers' ? callersOfSubject : calleesOfSubject)(data, found);
  const shown = rows.slice(0, MOST_ROWS);
  const locate = await placesOf(context, asked, [found.entry.methods[0]!, ...shown.map(({ method }) => method)]);
  if (locate === null) return null;
  const rowOf = ({ method, line, amount }: FoundRow): AroundRow => ({
    method: methodMessage(data, method, locate),
    share: shareMessage(data, amount, whole, samples),
    line,
  });
  return { ...headOf(asked, found, locate), rows: shown.map(rowOf) };
}

function headOf({ data }: AskedData, subject: FoundSubject, locate: Locator): Pick<Around, 'subject' | 'total'> {
  const { total } = factsOf(data, subject.entry);
  return {
    subject: methodMessage(data, subject.entry.methods[0]!, locate, subject.label),
    total: shareMessage(data, total, data.analysis.whole, data.values.effectiveWhole),
  };
}

async function threadsAround(context: Context, subject: Subject): Promise<ThreadsAround | null> {
  const asked = await ask(context, subject);
  const found = hasData(asked) ? await subjectIn(context, asked, subject) : null;
  if (!hasData(asked) || found === null) return null;
  const { data } = asked;
  if (!(await gather(context.session, aroundNeeds(data, found, 'threads'), context.token))) return null;
  const { whole, samples, rows, groups } = threadsOfSubject(data, found);
  const locate = await placesOf(context, asked, [found.entry.methods[0]!]);
  if (locate === null) return null;
  const { group, name, virtual } = data.profile.threads;
  return {
    ...headOf(asked, found, locate),
    rows: rows.slice(0, MOST_ROWS).map(({ thread, amount }) => ({
      group: group[thread]!,
      name: threadGroupName(name[thread]!),
      virtual: virtual[thread] === 1,
      share: shareMessage(data, amount, whole, samples),
    })),
    groups: groups.slice(0, MOST_ROWS).map(({ group: sum, threads: ofGroup, amount }) => ({
      group: sum,
      threads: ofGroup,
      share: shareMessage(data, amount, whole, samples),
    })),
  };
}

async function showAround(
  context: Context,
  answer: Around | null,
  about: About,
  words: CallWords & { readonly file: string },
): Promise<void> {
  const { pages } = context.session;
  if (answer === null) return pages.tell(`insitu: ${NOTHING}`);
  const page: Page = {
    file: words.file,
    title: `${words.verb} ${answer.subject.label} at run time`,
    intro: [introOf(answer), await originText(context, about)],
    head: ['share', 'samples', 'method'],
    rows: answer.rows.map(({ method, share, line }) => ({
      cells: numbersOf(share),
      name: line > 0 ? `${method.label} (${words.call} in line ${line})` : method.label,
      place: method,
    })),
    whenEmpty: words.whenEmpty,
  };
  await pages.show(page);
}

async function showThreads(context: Context, answer: ThreadsAround | null, about: About): Promise<void> {
  const { pages } = context.session;
  if (answer === null) return pages.tell(`insitu: ${NOTHING}`);
  await pages.show({
    file: 'threads',
    title: `Threads that run ${answer.subject.label}`,
    intro: [introOf(answer), await originText(context, about)],
    head: ['share', 'samples', 'thread'],
    rows: [...threadRows(answer), ...groupRows(answer)],
    whenEmpty: 'No thread of it was recorded.',
  });
}

function threadRows({ rows }: ThreadsAround): Page['rows'] {
  return rows.map(({ share, group, name, virtual }) => ({
    cells: numbersOf(share),
    name: `${name || (virtual ? 'unnamed virtual threads' : 'unnamed')}${group === '' ? '' : ` (group ${group})`}`,
    place: null,
  }));
}

/** Of groups whose sum no row above says. */
function groupRows({ groups }: ThreadsAround): Page['rows'] {
  return groups
    .filter(({ group, threads: rows }) => group !== '' && rows > 1)
    .map(({ share, group, threads: rows }) => ({
      cells: numbersOf(share),
      name: `all ${rows} of group ${group}`,
      place: null,
    }));
}

function introOf({ total }: Pick<Around, 'total'>): string {
  return `${total.text} of all · ${groupDigits(total.count)} of ${groupDigits(total.of)} samples. Shares below are of these.`;
}

export function numbersOf({ text, count }: ShareMessage): string[] {
  return [text, groupDigits(count)];
}
