// :Insitu aspects: the buckets in a window, and the path filter of one.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors } from './fake-session.ts';
import { floatingWith, press } from './floating.ts';
import { about, asked, openWords, run } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `aspects in ${engine}`, program => {
    test('aspects divides the samples, and filters by a bucket', async () => {
      const session = await openWords(program, {});
      await run(session, 'Insitu aspects');
      await asked(session, 'aspects', about(session));
      const seen = await floatingWith(session, '<CR> only these · q close');
      expect(seen.lines).toEqual([
        '██▍      30%  logging  also in json 4% · 90 s of threads, 75% running',
        '          0%  json  all of its samples belong to earlier aspects',
        '█████▋   70%  no aspect',
        'aspects[2].value: a mistake',
        '<CR> only these · q close',
      ]);
      await press(session, 'gg<CR>');
      await asked(session, 'select', { ...about(session), path: '..logging' });
      expect(luaErrors(await session.messages())).toEqual([]);
    });
  });
