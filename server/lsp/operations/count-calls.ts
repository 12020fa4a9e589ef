// The operation that counts and times the calls of a method in a running JVM for a minute; what comes of it is told when it is over.

import * as v from 'valibot';
import { methodsNamed } from '../../analysis/named-methods.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import { type Countable, costText, countable } from '../../features/countable.ts';
import { focusNames } from '../../features/facts/subject.ts';
import { RecorderProcess } from '../../record/recorder-process.ts';
import { reachOf } from '../gather.ts';
import type { CountCallsAnswer } from '../protocol.ts';
import type { Session } from '../session.ts';
import { type AskedData, ask, hasData, subjectAnywhere } from './about.ts';
import { tellLines } from './chosen.ts';
import { type Context, operation } from './operation.ts';
import { type AskedSubject, integer, SUBJECT, subjectFlaw } from './operation-parameters.ts';
import { askedJvm, pid, placeOf } from './record.ts';

const SECONDS = 60;
const MOST_SECONDS = 3_600;

export const countCalls = operation({
  name: 'countCalls',
  parameters: {
    ...SUBJECT,
    pid: v.nullish(pid),
    callers: v.nullish(v.boolean(), false),
    seconds: v.nullish(integer(1, MOST_SECONDS), SECONDS),
  },
  flaw: subjectFlaw,
  /** Answers when it has begun. */
  answer: async (context, { pid: given, callers, seconds, ...subject }): Promise<CountCallsAnswer> => {
    const { session } = context;
    const asked = await ask(context, subject);
    const methods = hasData(asked) ? await methodsOf(context, asked, subject) : [];
    if (!hasData(asked) || methods.length === 0) return refused('nothing was recorded of this method');
    const names = methods.filter(({ refusal }) => refusal === null).map(({ name }) => name);
    const problems = methods.flatMap(({ name, refusal }) => (refusal === null ? [] : [`${name}: ${refusal}`]));
    if (names.length === 0) return { text: null, problems };
    const jvm = await askedJvm(context, given, { question: 'in which JVM are calls to be counted?' });
    if (typeof jvm === 'string') return refused(jvm);
    if (context.asksPerson && !(await isConfirmed(session, costText(names, seconds, callers))))
      return refused('nothing is counted');
    const { execution, store, folder } = placeOf(session, asked, jvm, {});
    const { project, program, version, instance } = execution;
    const place = ['--store', store, '--project', project, '--program', program, '--version', version];
    const which = ['--instance', instance, '--pid', `${jvm.pid}`, '--for', `${seconds}s`];
    const flags = callers ? [...which, '--callers'] : which;
    const label = `calls in ${printableName(jvm.name)}`;
    return await run(session, [...place, ...flags, ...names], folder, [label, `${seconds} s`]);
  },
  show: ({ session }, { text, problems }) => tellLines(session, [...(text === null ? [] : [text]), ...problems]),
});

function refused(problem: string): CountCallsAnswer {
  return { text: null, problems: [problem] };
}

/** The methods that ran at the place, by names: overloads are counted together. */
async function methodsOf(context: Context, asked: AskedData, subject: AskedSubject): Promise<Countable[]> {
  const found = await subjectAnywhere(context, asked, subject);
  if (found === null) return [];
  const { data } = asked;
  const named = focusNames(data, found.entry.methods).flatMap(name => methodsNamed(data.profile.methods, name));
  return await countable(data, named, reachOf(context.session, context.token));
}

async function isConfirmed({ pages }: Session, question: string): Promise<boolean> {
  const choices = [
    { title: 'Count', value: true },
    { title: 'Cancel', value: false },
  ];
  return (await pages.choose(question, choices)) === true;
}

/** Resolves when the JVM counts, or cannot; the result is told later. */
function run(
  session: Session,
  args: readonly string[],
  folder: string,
  [calls, time]: readonly [calls: string, time: string],
): Promise<CountCallsAnswer> {
  const { promise, resolve } = Promise.withResolvers<CountCallsAnswer>();
  const lines: string[] = [];
  let hasBegun = false;
  const progress = session.beginProgress(`insitu: counting ${calls}`, () => counting.letGo());
  const counting = new RecorderProcess(['count', '--yes', ...args], folder, {
    event: event => {
      if (event.kind === 'counting') {
        hasBegun = true;
        resolve({ text: `counting ${calls} for ${time}`, problems: [] });
      } else if (event.kind === 'followed')
        lines.push('the recorder that follows it stores the calls with its next window');
      else if (event.kind === 'counted') lines.push(...event.rows.map(({ method, times }) => `${method}: ${times}`));
    },
    ended: reason => {
      progress.end();
      resolve(refused(reason || 'it ended before anything was counted'));
      if (hasBegun) tellLines(session, (reason === '' ? lines : [`counting ${calls}: ${reason}`]).map(printableLine));
    },
  });
  return promise;
}
