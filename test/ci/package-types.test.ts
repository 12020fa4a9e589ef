// The package's types equal the types of the sources and of the schemas, and need no other file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { protocolTypes, viewTypes } from '../../.ci/package-types.ts';
import { declaredType } from '../../.ci/schema-types.ts';
import type { ANSWERS_BY_NAME } from '../../server/features/answers/answer-table.ts';
import type { Answers, SessionAnswers } from '../../server/features/answers/answer-types.ts';
import { questionSchema } from '../../server/views/question-schemas.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Nothing that a client gets is to be changed. */
type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type All = Answers & SessionAnswers;
type Results = { [Name in keyof All]: v.InferOutput<(typeof ANSWERS_BY_NAME)[Name]['result']> };

test('the types of answers are what the schemas infer', () => {
  // The compiler says so: it knows no other value.
  const all: Same<keyof All, keyof typeof ANSWERS_BY_NAME> = true;
  const each: Same<All, Fixed<Results>> = true;
  expect([all, each]).toEqual([true, true]);
});

test('each message has the same type in the package as in the sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-package-types-'));
  try {
    const packaged = { protocol: protocolTypes(root), views: viewTypes(root) };
    expect(packaged.views).toContain('/** A part of the tree, laid out. */');
    for (const [name, types] of Object.entries(packaged)) {
      expect(types).not.toMatch(/^import|valibot| from '/m);
      writeFileSync(join(folder, `${name}.d.ts`), types);
    }
    const asks = questionSchema.options.map(({ entries }) => entries.ask.literal);
    const checks = asks.map(
      ask => `same<Extract<Ours.Question, { ask: '${ask}' }>, Extract<Views.Question, { ask: '${ask}' }>>(true);`,
    );
    writeFileSync(
      join(folder, 'same.ts'),
      [
        `import type * as Ours from '${join(root, 'server/views/view-messages.ts')}';`,
        `import type * as Protocol from '${join(root, 'server/lsp/protocol.ts')}';`,
        "import type * as Editors from './protocol.d.ts';",
        "import type * as Views from './views.d.ts';",
        'declare function same<A, B>(both: [A] extends [B] ? ([B] extends [A] ? true : false) : false): void;',
        ...checks,
        'same<Ours.Look, Views.Look>(true);',
        'same<typeof Ours.VERDICTS, typeof Views.VERDICTS>(true);',
        'same<Ours.Answers, Views.Answers>(true);',
        'same<Protocol.EditorAnswers, Editors.EditorAnswers>(true);',
        'same<Protocol.HintData, Editors.HintData>(true);',
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

test('a schema that has no type yet is refused', () => {
  expect(() => declaredType('When', v.object({ at: v.date() }), new Map())).toThrow('date');
});
