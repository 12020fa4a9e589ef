// The answers `callers` and `callees`: who calls a method, and whom it calls.

import * as v from 'valibot';
import { inRanges, type LineRanges } from '../../mapping/observed-lines.ts';
import { defineAnswer } from './answer.ts';
import { askedMethod, METHOD } from './named-method.ts';
import {
  CHOICE,
  LIMIT,
  listed,
  listSchema,
  methodOf,
  methodSchema,
  originOf,
  originSchema,
  shareOf,
  shareSchema,
  subjectTextSchema,
} from './vocabulary.ts';

type Direction = 'callers' | 'callees';

const DESCRIPTIONS = {
  callers: 'Lists the methods that call a method, with the part of its time in which each one does.',
  callees: 'Lists the methods that a method calls, with the part of its time that each one takes.',
};

export const callers = callsAnswer('callers', 'Callers of a method');
export const callees = callsAnswer('callees', 'Callees of a method');

/** Whether some call stands on one of the lines. */
function isOn(lines: LineRanges) {
  return (call: { readonly lines: readonly number[] }) => call.lines.some(line => inRanges(lines, line));
}

function callsAnswer(name: Direction, title: string) {
  return defineAnswer({
    name,
    title,
    description: DESCRIPTIONS[name],
    parameters: v.strictObject({ ...METHOD, ...CHOICE, ...LIMIT }),
    result: v.object({
      origin: originSchema,
      subject: methodSchema,
      subjectText: subjectTextSchema,
      ofAll: shareSchema,
      self: shareSchema,
      ...listSchema,
      rows: v.array(
        v.object({
          method: methodSchema,
          ofItsTime: v.pipe(shareSchema, v.description('Share of the time of the subject')),
          ofAll: shareSchema,
          lines: v.pipe(v.array(v.number()), v.description('Recorded lines of the calls; 0 is unknown')),
        }),
      ),
    }),
    async answer(context, given) {
      const data = await context.data(given);
      const { entry, label } = await askedMethod(context, data, given.method);
      const { methods: subject, onlyLines } = entry;
      const [facts] = await context.reach.ask(data, 'numbers', {
        sets: [{ methods: subject, ...(onlyLines && { onlyLines }) }],
      });
      const { next } = await context.reach.ask(data, 'along', { way: { direction: name, steps: [subject] } });
      // Initialisers of a class are one method at run time.
      const own = name === 'callers' || onlyLines === undefined ? next : next.filter(isOn(onlyLines));
      const { rows, ...counts } = listed(own, given.limit);
      const places = await context.places(data, [subject[0]!, ...rows.map(row => row.methods[0]!)]);
      const { total, self } = facts!;
      return {
        origin: originOf(data),
        subject: methodOf(data, subject[0]!, places),
        subjectText: label,
        ofAll: shareOf(data, total),
        self: shareOf(data, self),
        ...counts,
        rows: rows.map(row => ({
          method: methodOf(data, row.methods[0]!, places),
          ofItsTime: shareOf(data, row.amount, total),
          ofAll: shareOf(data, row.amount),
          lines: [...row.lines],
        })),
      };
    },
  });
}
