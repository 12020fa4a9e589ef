// The package's types of the page's messages equal the types of the sources, and need no other file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { viewTypes } from '../../.ci/view-types.ts';
import { questionSchema } from '../../server/views/question-schemas.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('each question has the same type in the package as in the sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-view-types-'));
  try {
    const types = viewTypes(root);
    expect(types).not.toMatch(/^import|valibot/m);
    expect(types).toContain('/** Patterns with `*`. */');
    writeFileSync(join(folder, 'views.d.ts'), types);
    const asks = questionSchema.options.map(({ entries }) => entries.ask.literal);
    const checks = asks.map(
      ask => `same<Extract<Ours.Question, { ask: '${ask}' }>, Extract<Packaged.Question, { ask: '${ask}' }>>(true);`,
    );
    writeFileSync(
      join(folder, 'same.ts'),
      [
        `import type * as Ours from '${join(root, 'server/views/view-messages.ts')}';`,
        "import type * as Packaged from './views.d.ts';",
        'declare function same<A, B>(both: [A] extends [B] ? ([B] extends [A] ? true : false) : false): void;',
        ...checks,
        'same<Ours.Look, Packaged.Look>(true);',
        'same<Ours.NamedAnswers, Packaged.NamedAnswers>(true);',
      ].join('\n'),
    );
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      'false',
    ];
    const modules = ['--module', 'nodenext', '--target', 'es2022', '--types', '', '--allowImportingTsExtensions'];
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const { status, stdout } = spawnSync(compiler, [...options, ...modules, join(folder, 'same.ts')], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
