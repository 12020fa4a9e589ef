// The answers `callers` and `callees`: who calls a method, and whom it calls.

import * as v from 'valibot';
import { defineAnswer } from './answer.ts';
import { METHOD, namedMethod } from './named-method.ts';
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
} from './vocabulary.ts';

type Direction = 'callers' | 'callees';

const DESCRIPTIONS = {
  callers: 'Lists the methods that call a method, with the part of its time in which each one does.',
  callees: 'Lists the methods that a method calls, with the part of its time that each one takes.',
};

export const callers = callsAnswer('callers', 'Callers of a method');
export const callees = callsAnswer('callees', 'Callees of a method');

function callsAnswer(name: Direction, title: string) {
  return defineAnswer({
    name,
    title,
    description: DESCRIPTIONS[name],
    parameters: v.strictObject({ ...METHOD, ...CHOICE, ...LIMIT }),
    result: v.object({
      origin: originSchema,
      subject: methodSchema,
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
      const subject = namedMethod(data, given.method).rows;
      const [facts] = await context.reach.ask(data, 'numbers', { sets: [{ methods: subject }] });
      const { next } = await context.reach.ask(data, 'along', { way: { direction: name, steps: [subject] } });
      const { rows, ...counts } = listed(next, given.limit);
      const places = await context.places(data, [subject[0]!, ...rows.map(row => row.methods[0]!)]);
      const { total, self } = facts!;
      return {
        origin: originOf(data),
        subject: methodOf(data, subject[0]!, places),
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
