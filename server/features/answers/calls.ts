// The answers `callers` and `callees`: who calls a method, and whom it calls.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import { described, methodSchema, shareSchema } from '../../model/terms.ts';
import { defineDataAnswer, placesFor } from './answer.ts';
import { askedMethod, METHOD } from './named-method.ts';
import { LIMIT, LISTED, listed, listOf, methodOf, OFFSET, optional, shareOf, subjectTextSchema } from './vocabulary.ts';

type Direction = 'callers' | 'callees';

const DESCRIPTIONS = {
  callers: 'Lists the methods that call a method, with the part of its time in which each one does.',
  callees: 'Lists the methods that a method calls, with the part of its time that each one takes.',
};

export const callers = callsAnswer('callers', 'Callers of a method');
export const callees = callsAnswer('callees', 'Callees of a method');

function callsAnswer(name: Direction, title: string) {
  return defineDataAnswer({
    name,
    title,
    description: DESCRIPTIONS[name],
    whenEmpty: name === 'callers' ? 'It was seen with no caller.' : 'It was seen calling nothing.',
    parameters: {
      ...METHOD,
      ...LIMIT,
      ...OFFSET,
      sort: optional(v.picklist(['total', 'self', 'name']), 'Order: total (default), self, or name'),
      ...LISTED,
    },
    result: {
      subject: methodSchema,
      subjectText: subjectTextSchema,
      ofAll: shareSchema,
      self: shareSchema,
      ...listOf({
        method: methodSchema,
        ofItsTime: described(shareSchema, 'Share of the time of the subject'),
        ofAll: shareSchema,
        self: described(shareSchema, 'Its own time from all callers, as a share of everything'),
        lines: described(v.array(v.number()), 'Recorded lines of the calls; 0 is unknown'),
      }),
    },
    async answer(data, given, context) {
      const { entry, label } = await askedMethod(context, data, given.method);
      const { methods: subject, onlyLines } = entry;
      const [facts] = await context.reach.ask(data, 'numbers', {
        sets: [{ methods: subject, ...(onlyLines && { onlyLines }) }],
      });
      const { value, problems } = await context.reach.ask(data, 'methodList', {
        ...{ kind: name, of: subject, sort: given.sort ?? 'total', search: given.search || null },
        ...{ from: 0, most: Number.POSITIVE_INFINITY },
      });
      if (value === null) throw new AskFailed(problems);
      // Initialisers of a class are one method at run time.
      const isOwn = ({ lines }: { readonly lines: readonly number[] }) =>
        name === 'callers' || onlyLines === undefined || lines.some(line => inRanges(onlyLines, line));
      const { rows, ...counts } = listed(value.rows.filter(isOwn), given.limit, given.offset);
      const named = [subject[0]!, ...rows.map(({ method }) => method)];
      const places = await placesFor(context, data, named, given.places);
      const { total, self } = facts!;
      return {
        subject: methodOf(data, subject[0]!, places),
        subjectText: label,
        ofAll: shareOf(data, total),
        self: shareOf(data, self),
        ...counts,
        rows: rows.map(row => ({
          method: methodOf(data, row.method, places),
          ofItsTime: shareOf(data, row.total, total),
          ofAll: shareOf(data, row.total),
          self: shareOf(data, row.self),
          lines: [...row.lines],
        })),
      };
    },
  });
}
