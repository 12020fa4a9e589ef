// Writes the types of the package's `insitu/protocol` and `insitu/views`: the messages of editors and of the page, each in one file without imports.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenericSchema } from 'valibot';
import { lookSchema } from '../server/model/look-schema.ts';
import { VERDICTS } from '../server/model/verdict.ts';
import { methodKey, questionSchema } from '../server/views/question-schemas.ts';
import { declaredType, type NamedSchemas } from './schema-types.ts';

const ANSWERS = 'server/features/answers/answer-types.ts';

const NAMED: NamedSchemas = new Map<GenericSchema, string>([
  [lookSchema, 'Look'],
  [methodKey, 'MethodKey'],
]);

/** The parts of the protocol hold types alone: their text is its declaration too. */
export function protocolTypes(folder: string): string {
  return textOf(folder, [ANSWERS, ...globSync('server/lsp/protocol/*.ts', { cwd: folder }).sort()]);
}

/** Besides types the files hold tables of words, whose declaration is their text too. */
export function viewTypes(folder: string): string {
  const files = ['views/view-terms', 'analysis/frame-columns', 'views/view-messages'];
  const text = textOf(folder, [ANSWERS, ...files.map(name => `server/${name}.ts`)]);
  const lists = text.replace(
    /^export const (\w+) = (\[[^\]]*\]) as const;$/gm,
    'export declare const $1: readonly $2;',
  );
  const tables = lists.replace(/^export const (\w+) = \{\n([^}]*)\} as const;$/gm, (_, name: string, rows: string) => {
    const declared = rows.replace(/^ {2}(\w+): ([^,]+),$/gm, '  readonly $1: $2;');
    return `export declare const ${name}: {\n${declared}};`;
  });
  const verdicts = VERDICTS.map(each => `'${each}'`).join(', ');
  return [tables, `export declare const VERDICTS: readonly [${verdicts}];\n`, questionTypes()].join('\n');
}

/** The files, put together, without what one imports of another or hands on. */
function textOf(folder: string, files: readonly string[]): string {
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8'));
  return texts.join('\n').replace(/^(?:import|export) (?:type )?(?:\*|\{[^}]*\}) from '\.[\w/.-]+\.ts';\n/gm, '');
}

function questionTypes(): string {
  const questions = questionSchema.options.map(schema => {
    const { literal } = schema.entries.ask;
    return { name: `Ask${literal[0]!.toUpperCase()}${literal.slice(1)}`, schema };
  });
  return [
    ...questions.map(({ name, schema }) => declaredType(name, schema, NAMED)),
    `export type Question =\n${questions.map(({ name }) => `  | ${name}`).join('\n')};\n`,
  ].join('\n');
}
