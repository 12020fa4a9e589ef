// Methods that are left out of what is looked at: the query says so in the language of call paths, and is read back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hidingIn, nameInQuery, pathWith } from '../../../clients/web/src/hidden-methods.ts';
import { parseQuery } from '../../../grammar/path-syntax.ts';
import { runs } from '../../support/runs.ts';
import { fakeMethod } from './stacks-fake.ts';

const someName = fc.stringMatching(/^[A-Za-z$_<>][\w$<>/;=. ]{0,9}$/);
const someMethod = fc
  .record({
    className: someName,
    name: someName,
    parameters: fc.constantFrom('', 'int', 'int, java.lang.String[]', null),
  })
  .map(({ className, name, parameters }) => ({ ...fakeMethod(className, name), parameters }));
const someRest = fc.constantFrom(null, 'A ..B', 'A ..B where C ..D or E ..F');

test('any method can be hidden, whatever else is asked for', () => {
  fc.assert(
    fc.property(someRest, fc.array(someMethod, { maxLength: 3 }), (rest, methods) => {
      const hidden = methods.map(nameInQuery);
      const path = pathWith({ rest, hidden });
      expect(path === undefined).toBe(rest === null && hidden.length === 0);
      expect(parseQuery(path ?? '*')).toHaveProperty('value');
      // With a condition of another form the whole is one query.
      const isOwn = rest === null || !rest.includes(' where ');
      expect(hidingIn(path)).toEqual(isOwn ? { rest, hidden } : { rest: path, hidden: [] });
    }),
    { numRuns: runs(300) },
  );
});
