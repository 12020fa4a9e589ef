// :Insitu import and record with a fake server: what is sent, when the user is asked which program was recorded, and what is told of a failure.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeOptions, luaErrors } from './fake-session.ts';
import { about, asked, openWords, run, told } from './words-session.ts';

/** The answers of the server about projects of which nothing is shown in the open file. */
function answersOf(...projects: readonly { project: string; program: string | null }[]) {
  const sources = projects.map(each => ({ ...each, state: 'none', problems: [], text: 'nothing to show' }));
  return (folder: string) => ({
    ...shopAnswers(folder),
    choices: [{ answer: { project: 'shop', executions: [], metrics: [], threads: [], windows: [] } }],
    status: [{ answer: { sources, recordings: [], text: '' } }],
  });
}

for (const engine of neovims())
  needs(engine, `import in ${engine}`, program => {
    const open = (options: FakeOptions = {}) => openWords(program, options);

    test('import sends whole paths, asks for one where none is given, and tells what came of it', async () => {
      const session = await open();
      for (const file of ['a.jfr', 'b.jfr']) writeFileSync(join(session.folder, file), '');
      await run(session, 'Insitu import *.jfr version=1.5');
      await asked(session, 'importRecording', {
        ...about(session),
        files: [`${session.folder}/a.jfr`, `${session.folder}/b.jfr`],
        version: '1.5',
      });
      await told(session, 'insitu: imported 2 recordings as shop 1.5');
      await told(session, 'insitu: bad.jfr: not a recording (record anew)');
      await session.lua(`vim.ui.input = function(options, take) take(options.completion == 'file' and 'a.jfr') end`);
      await run(session, 'Insitu import');
      await asked(session, 'importRecording', { ...about(session), files: [`${session.folder}/a.jfr`] });
    });

    test("import asks for the program where the project has none, whatever others have, and proposes the project's name", async () => {
      const answers = answersOf({ project: 'web', program: 'web' }, { project: 'shop', program: null });
      const session = await open({ answers });
      await session.lua(`vim.ui.input = function(options, take)
        take(options.completion == 'file' and 'a.jfr' or options.prompt:find('^Program') and options.default .. '-web')
      end`);
      await run(session, 'Insitu import');
      const files = [`${session.folder}/a.jfr`];
      await asked(session, 'importRecording', { ...about(session), files, program: 'shop-web' });
      const questions = session.seen('ask').length;
      await session.lua(`vim.ui.input = function(_, take) take('') end`);
      await run(session, 'Insitu import a.jfr');
      await asked(session, 'status', {});
      await run(session, 'Insitu import a.jfr program=web');
      await asked(session, 'importRecording', { ...about(session), files, program: 'web' });
      expect(session.seen('ask')).toHaveLength(questions + 3);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('import does not ask where settings name the program of the project', async () => {
      const session = await open({ answers: answersOf({ project: 'shop', program: 'web' }) });
      await session.lua(`vim.ui.input = function(_, take) take('asked') end`);
      await run(session, 'Insitu import a.jfr');
      await asked(session, 'importRecording', { ...about(session), files: [`${session.folder}/a.jfr`] });
    });

    test('import proposes the program of another part of the project', async () => {
      const session = await open({
        answers: answersOf({ project: 'shop', program: null }, { project: 'shop', program: 'web' }),
      });
      await session.lua(`vim.ui.input = function(options, take) take(options.default) end`);
      await run(session, 'Insitu import a.jfr');
      const files = [`${session.folder}/a.jfr`];
      await asked(session, 'importRecording', { ...about(session), files, program: 'web' });
    });

    test.each([
      ['import a.jfr program=web', 'importRecording'],
      ['import a.jfr', 'choices'],
      ['record pid=4711', 'record'],
      ['record stop', 'stopRecording'],
    ])(
      'that the server could not answer :Insitu %s is told, not a failure of the plugin',
      async (command, question) => {
        const session = await open({ answers: folder => ({ ...shopAnswers(folder), [question]: [] }) });
        await run(session, `Insitu ${command}`);
        await told(session, `insitu: the server could not answer insitu/${question}`);
        expect(luaErrors(await session.messages())).toEqual([]);
      },
    );
  });
