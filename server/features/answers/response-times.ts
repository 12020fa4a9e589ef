// The answer `responseTimes`: how long the calls of a method took, by caller and over time.

import * as v from 'valibot';
import { isoTime } from '../../base/moment-text.ts';
import { described, methodSchema, timesSchema } from '../../model/terms.ts';
import { callerWords, isMethod } from '../text/times-text.ts';
import { defineDataAnswer } from './answer.ts';
import { askedMethod, METHOD } from './named-method.ts';
import { LIMIT, listed, listOf, methodOf, timesOf } from './vocabulary.ts';

const MOST_WINDOWS = 20;

export const responseTimes = defineDataAnswer({
  name: 'responseTimes',
  title: 'Response times of a method',
  description:
    'Says how long the calls of a method took in production, by caller and over time. Samples alone do not tell it: it needs a Kieker log, method tracing or method timing.',
  parameters: { ...METHOD, ...LIMIT },
  result: {
    subject: methodSchema,
    times: described(v.nullable(timesSchema), 'Null where nothing recorded the times of calls'),
    ...listOf({
      caller: v.nullable(methodSchema),
      callerText: described(v.string(), 'The caller in words where it is no method'),
      times: timesSchema,
    }),
    windows: described(
      v.array(v.object({ from: v.string(), to: v.string(), times: timesSchema })),
      `The latest windows in which it was called, at most ${MOST_WINDOWS}`,
    ),
  },
  async answer(data, given, context) {
    const subject = (await askedMethod(context, data, given.method)).entry.methods;
    const [found = null] = await context.reach.ask(data, 'responseTimes', { sets: [subject] });
    const { rows, ...counts } = listed(found?.callers ?? [], given.limit);
    const callers = rows.map(({ caller }) => caller).filter(isMethod);
    const places = await context.places(data, [subject[0]!, ...callers]);
    return {
      subject: methodOf(data, subject[0]!, places),
      times: found === null ? null : timesOf(found),
      ...counts,
      rows: rows.map(({ caller, ...times }) => ({
        caller: isMethod(caller) ? methodOf(data, caller, places) : null,
        callerText: isMethod(caller) ? '' : callerWords(caller),
        times: timesOf(times),
      })),
      windows: (found?.windows ?? []).slice(-MOST_WINDOWS).map(({ startMillis, endMillis, ...times }) => ({
        from: isoTime(startMillis) ?? '',
        to: isoTime(endMillis) ?? '',
        times: timesOf(times),
      })),
    };
  },
});
