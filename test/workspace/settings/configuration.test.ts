// Which settings hold where: precedence, defaults, and what a cloned repository may not say.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../server/base/config.ts';
import { editorSettings } from '../../../server/lsp/wire/from-lsp.ts';
import { configurationFor } from '../../../server/workspace/settings/configuration.ts';
import { readSettings } from '../../../server/workspace/settings/read-settings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-configuration-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const NOWHERE = { env: {}, home: '/somebody' };

describe('store', () => {
  test('without anything said, the user data folder', () => {
    expect(configurationFor(folder, {}, {}, NOWHERE).store).toBe('/somebody/.local/share/insitu');
    const xdg = { env: { XDG_DATA_HOME: '/data' }, home: '/somebody' };
    expect(configurationFor(folder, {}, {}, xdg).store).toBe('/data/insitu');
  });

  test('insitu.json < INSITU_STORE < editor < command line', () => {
    writeFileSync(join(folder, 'insitu.json'), '{ "store": "here" } // relative to the file');
    const inside = join(folder, 'src', 'main');
    mkdirSync(inside, { recursive: true });
    const env = { env: { INSITU_STORE: '/environment' }, home: '/somebody' };
    expect(configurationFor(inside, {}, {}, NOWHERE).store).toBe(join(folder, 'here'));
    expect(configurationFor(inside, {}, {}, env).store).toBe('/environment');
    expect(configurationFor(inside, {}, { store: '/editor' }, env).store).toBe('/editor');
    expect(configurationFor(inside, { store: '/option' }, { store: '/editor' }, env).store).toBe('/option');
  });

  test('a home folder is expanded, an address is left alone', () => {
    expect(configurationFor(folder, { store: '~/profiles' }, {}, NOWHERE).store).toBe('/somebody/profiles');
    expect(configurationFor(folder, { store: 's3://bucket/prefix' }, {}, NOWHERE).store).toBe('s3://bucket/prefix');
  });
});

describe('project', () => {
  test("insitu.json, else the git root's name, else the folder's", () => {
    const byFolder = configurationFor(folder, {}, {}, NOWHERE);
    expect(byFolder).toMatchObject({ project: basename(folder), projectIsNamed: false });
    expect(configurationFor(folder, { project: 'shop' }, {}, NOWHERE)).toMatchObject({ projectIsNamed: true });
    const inside = join(folder, 'checkout', 'module');
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(folder, 'checkout', '.git'));
    expect(configurationFor(inside, {}, {}, NOWHERE)).toMatchObject({
      project: 'checkout',
      projectIsNamed: true,
      root: join(folder, 'checkout'),
    });
    writeFileSync(join(inside, 'insitu.json'), '{ "project": "shop", }');
    expect(configurationFor(inside, {}, {}, NOWHERE)).toMatchObject({ project: 'shop', root: inside, problems: [] });
  });
});

describe('mistakes in insitu.json', () => {
  const mistakes = (text: string, origin: 'workspace' | 'user' = 'workspace') =>
    readSettings(text, 'insitu.json', origin).problems.map(({ place, message, remedy }) => [place, message, remedy]);

  test('unknown keys name the nearest known one', () => {
    expect(mistakes('{\n  "hints": {\n    "methods": { "treshold": 1, "threshold": 0.5 } } }')).toEqual([
      ['line 3', 'unknown setting "hints.methods.treshold"', 'did you mean "hints.methods.threshold"?'],
    ]);
    expect(mistakes('{ "Store": "x" }')).toEqual([['line 1', 'unknown setting "Store"', 'did you mean "store"?']]);
  });

  test('wrong types and ranges keep the default', () => {
    const { value, problems } = readSettings(
      '{ "project": 7, "hints": { "calls": { "enabled": "no", "threshold": 2 }, "maximumLength": 1.5 }, "programs": { "a": 1 } }',
      'insitu.json',
      'workspace',
    );
    expect(value).toEqual({});
    expect(problems.map(problem => problem.message)).toEqual([
      '"project" must be a string',
      '"hints.calls.enabled" must be true or false',
      '"hints.calls.threshold" must be a number from 0 to 1',
      '"hints.maximumLength" must be a whole number from 8 to 200',
      '"programs" must be an object of strings',
    ]);
  });

  test('a form of hints is a known one or has a placeholder, a choice is one of its names', () => {
    const read = (hints: object) => readSettings(JSON.stringify({ hints }), 'insitu.json', 'workspace');
    expect(mistakes('{ "hints": { "format": "verbos", "commands": "yes" } }').map(([, message]) => message)).toEqual([
      `"hints.format" must be default, ascii, verbose, or a text with a placeholder such as "\${share}"`,
      '"hints.commands" must be one of auto, on, off',
    ]);
    for (const format of ['default', 'ascii', 'verbose', `\${share} now`])
      expect(read({ format, commands: 'on' }).value).toEqual({ 'hints.format': format, 'hints.commands': 'on' });
  });

  test('text that is no JSON is reported with its line, and what can be read is taken', () => {
    const { value, problems } = readSettings('{ "project": "shop",\n "version" }', 'insitu.json', 'workspace');
    expect(value).toEqual({ project: 'shop' });
    expect(problems.map(problem => [problem.place, problem.message])).toEqual([
      ['line 2', 'not valid JSON: a colon is missing'],
    ]);
  });

  test('a file full of nonsense is told about nineteen times, then counted', () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `"k${i}": 1`).join(',\n');
    const { problems } = readSettings(`{${keys}}`, 'insitu.json', 'workspace');
    expect(problems).toHaveLength(20);
    expect(problems.at(-1)?.message).toBe('4981 more problems of this kind');
  });

  test('brackets without end are one warning with its place, and defaults hold', () => {
    const depth = 5_000;
    for (const nested of [
      '['.repeat(depth),
      `{ "hints": ${'{"a":'.repeat(depth)}`,
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
    ]) {
      writeFileSync(join(folder, 'insitu.json'), `\n${nested}`);
      const { problems, project } = configurationFor(folder, {}, {}, NOWHERE);
      expect(project).toBe(basename(folder));
      const message = 'brackets are nested more than 50 levels deep';
      const file = join(folder, 'insitu.json');
      expect(problems).toMatchObject([{ severity: 'warning', message, file, place: 'line 2' }]);
    }
    expect(mistakes(`{ "project": "${'['.repeat(depth)}" } // ${'{'.repeat(depth)}`)).toEqual([]);
  });

  test('brackets without end in the settings of an editor are a warning too', () => {
    let nested: object = {};
    for (let level = 0; level < 20_000; level++) nested = { a: nested };
    expect(editorSettings({ hints: nested })).toMatchObject({ value: {}, problems: [{ severity: 'warning' }] });
  });

  test('no file makes reading long or fail, whatever stands in it', () => {
    const odd = ['\0', '{', '[]', '"', '\ud800', '__proto__', 'x'.repeat(1_000), null, -1, [], [[]], {}, { a: {} }];
    const values = odd.map(each => JSON.stringify(each)).concat('1e999', '{"a":', '\0', '1e', "'x'", '-');
    for (const key of [...Object.keys(SETTINGS), '__proto__', 'constructor', 'hints'])
      for (const value of values) {
        const inner = key.split('.').map(each => `{ ${JSON.stringify(each)}: `);
        writeFileSync(join(folder, 'insitu.json'), `${inner.join('')}${value}${'}'.repeat(inner.length)}`);
        const { problems, file } = configurationFor(folder, {}, {}, NOWHERE);
        expect(file).toBe(join(folder, 'insitu.json'));
        expect(problems.length).toBeLessThanOrEqual(20);
      }
  });

  test('a long address without an end is no secret, and takes no time', () => {
    const store = `s3://bucket/?${'key'.repeat(80_000)}`;
    expect(mistakes(JSON.stringify({ store }))[0]?.[1]).toMatch(/until you allow another/);
    expect(mistakes('{ "store": "s3://bucket/?access_token=7" }')[0]?.[1]).toMatch(/must not carry credentials/);
  });

  test('what is no small file is not read: a link to a device would never end', () => {
    symlinkSync('/dev/zero', join(folder, 'insitu.json'));
    const endless = configurationFor(folder, {}, {}, NOWHERE);
    const message = 'cannot be read: this is a pipe or a device, not a file';
    expect(endless.problems).toMatchObject([{ message, remedy: 'defaults are used' }]);
    rmSync(join(folder, 'insitu.json'));
    writeFileSync(join(folder, 'insitu.json'), `{ "project": "${'x'.repeat(300_000)}" }`);
    expect(configurationFor(folder, {}, {}, NOWHERE)).toMatchObject({ project: basename(folder), problems: [{}] });
  });

  test('the place is the line of the mistake; what is missing at the end belongs to the last line', () => {
    const [[place] = []] = mistakes('{\n  "project": "shop",\n\n  "nonsense": 1\n}');
    expect(place).toBe('line 4');
    expect(mistakes('{ "project": "shop"\n\n')).toEqual([
      ['line 1', 'not valid JSON: a closing } is missing', undefined],
    ]);
  });

  test('a workspace may not name a store off this machine, a user may', () => {
    const message = '"store" of a workspace file may only be a folder of this machine until you allow another';
    for (const store of ['s3://bucket', 'https://somewhere', '\\\\\\\\server\\\\share', '//server/share']) {
      expect(mistakes(`{ "store": "${store}" }`)).toEqual([
        ['line 1', message, expect.stringContaining('INSITU_STORE')],
      ]);
      expect(mistakes(`{ "store": "${store}" }`, 'user')).toEqual([]);
    }
    expect(mistakes('{ "store": "C:\\\\profiles" }')).toEqual([]);
  });
});

describe('lists of objects', () => {
  const TASK = { name: 'orders', type: 'prefix', value: 'com.acme.order' };

  test('are taken object by object', () => {
    const text = JSON.stringify({
      tasks: [TASK, { ...TASK, type: 'glob' }, 7, { ...TASK, value: '', colour: 'red' }, { name: 'x', type: 'path' }],
      metrics: [{ event: 'com.acme.Query', unit: 'nanoseconds', weight: 'duration' }],
    });
    const { value, problems } = readSettings(text, 'insitu.json', 'workspace');
    expect(value).toEqual({
      tasks: [TASK],
      metrics: [{ event: 'com.acme.Query', unit: 'nanoseconds', weight: 'duration' }],
    });
    expect(problems.map(problem => problem.message)).toEqual([
      '"type" in "tasks" must be one of method, prefix, regex, path, query',
      '"tasks" must be a list of objects',
      '"value" in "tasks" must be a text',
      'unknown field "colour" in "tasks"',
      '"value" is missing in "tasks"',
    ]);
  });

  test('that are no lists keep the default', () => {
    const { value, problems } = readSettings('{ "tasks": { "name": "x" } }', 'insitu.json', 'workspace');
    expect(value).toEqual({});
    expect(problems.map(problem => problem.message)).toEqual(['"tasks" must be a list of objects']);
  });
});
