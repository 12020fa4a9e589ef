// Tests how Neovim's own side shows names that would turn lines around, forge them or fill a screen.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { expectHarmless, FORGING, LONG } from '../../support/terminals/hostile-text.ts';
import { shopAnswers } from './fake-answers.ts';
import { luaErrors } from './fake-session.ts';
import { floating } from './floating.ts';
import { openWords, run } from './words-session.ts';

/** Environment variables, in which the fake server finds its answers, are limited. */
const LARGE = LONG.slice(0, 12_000);
const HOSTILE = `1.3${FORGING}`;

for (const engine of neovims())
  needs(engine, `names in ${engine}`, program => {
    const hostile = (text: string, name: string) => text.replaceAll(`"${name}"`, JSON.stringify(HOSTILE + LARGE));
    const answers = (folder: string) =>
      JSON.parse(hostile(hostile(JSON.stringify(shopAnswers(folder)), '1.3'), 'http-#'));

    test('choices, windows and messages are harmless', async () => {
      const session = await openWords(program, { answers, informs: `says ${HOSTILE}${LARGE}` });
      const [, offer] = await run(session, 'Insitu select', 'version', '1.3');
      expect(offer?.lines.join('\n')).toContain('1.3\\u001b[2J');
      for (const line of [offer!.prompt, ...offer!.lines]) expectHarmless(line);
      await session.lua(`vim.cmd('Insitu threads')`);
      await expect
        .poll(async () => (await floating(session))?.lines.length ?? 0, { timeout: 30_000 })
        .toBeGreaterThan(2);
      const { lines } = (await floating(session))!;
      expect(lines.join('\n')).toContain('1.3\\u001b[2J');
      for (const line of lines) expectHarmless(line);
      await session.until(`vim.fn.execute('messages'):find('insitu: says', 1, true)`);
      const messages = await session.messages();
      expect(messages).toContain('…');
      expect(messages.length).toBeLessThan(10_000);
      expect(luaErrors(messages)).toEqual([]);
    });
  });
