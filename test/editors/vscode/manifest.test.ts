// VS Code's manifest agrees with itself, with the code, with the settings that the server knows, and with the Node.js that it needs.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LINKED_COMMANDS } from '../../../clients/vscode/src/links.ts';
import { TITLES, WAYS, withTitles } from '../../../clients/vscode/src/no-data.ts';
import { nodeProblem, OLDEST_NODE } from '../../../clients/vscode/src/node-version.ts';
import { givenSettings, OWN_SETTINGS, serverKeys } from '../../../clients/vscode/src/settings.ts';
import { extensionFolder, manifest } from './manifest.ts';

const { contributes } = manifest;
const commands = contributes.commands.map(({ command }) => command);
const sources = ['extension', 'commands', 'views']
  .map(name => readFileSync(join(extensionFolder, 'src', `${name}.ts`), 'utf8'))
  .join('');
const root = join(extensionFolder, '..', '..');

/** A part of a JSON schema. */
type Node = { readonly properties?: Readonly<Record<string, Node>>; readonly default?: unknown };

/** Keys with dots of everything in the schema that is a setting: it has a default. */
function settingsOf(node: Node, prefix = 'insitu'): [string, Node][] {
  return Object.entries(node.properties ?? {}).flatMap(([name, inner]): [string, Node][] =>
    'default' in inner ? [[`${prefix}.${name}`, inner]] : settingsOf(inner, `${prefix}.${name}`),
  );
}

test("commands that the server's sentences name exist here, and are named by their titles", () => {
  const server = globSync('server/**/*.ts', { cwd: root }).map(file => readFileSync(join(root, file), 'utf8'));
  const sentences = server.flatMap(text => text.match(/(?<=['"`;: ])insitu\.[a-z]\w+(?= [a-z])/g) ?? []);
  const named = new Set(sentences.map(name => name.slice('insitu.'.length)).filter(name => name !== 'json'));
  expect([...named].filter(name => !Object.hasOwn(TITLES, name))).toEqual([]);
  expect(named.size).toBeGreaterThan(4);
  const titles = new Map(contributes.commands.map(({ command, title }) => [command, title]));
  for (const [name, title] of Object.entries(TITLES)) expect([...titles.values()], name).toContain(title);
  expect(withTitles('the command insitu.refresh reads again')).toBe(
    'the command “insitu: Read everything again” reads again',
  );
});

test('the ways to get data stand in the title of Hot Methods and in both empty views, few icons beside them', () => {
  const rows = (contributes.menus['view/title'] ?? []) as readonly { command: string; when: string; group: string }[];
  const ofHot = rows.filter(({ when }) => when === 'view == insitu.methods');
  const icons = ofHot.filter(({ group }) => group.startsWith('navigation')).map(({ command }) => command);
  expect(icons).toContain('insitu.importRecording');
  expect(icons.length).toBeLessThanOrEqual(3);
  for (const view of ['insitu.methods', 'insitu.executions']) {
    const { contents } = contributes.viewsWelcome.find(each => each.view === view)!;
    for (const [title, command] of WAYS) expect(contents).toContain(`[${title}](command:${command})`);
    expect(contents).not.toMatch(/--\w|store/);
  }
});

describe('settings', () => {
  const mirrored = contributes.configuration.find(({ title }) => title === 'insitu')!.properties;
  const own = contributes.configuration.find(({ title }) => title !== 'insitu')!.properties;

  test("are those of insitu.json's schema, with the same types, limits, defaults and words", () => {
    const schema: Node = JSON.parse(readFileSync(join(root, 'docs', 'insitu.schema.json'), 'utf8'));
    const wanted = settingsOf(schema).map(([key, node]) => [key, { scope: 'window', ...node }]);
    expect(wanted.length).toBeGreaterThan(20);
    expect(mirrored).toEqual(Object.fromEntries(wanted));
  });

  test('of the extension alone are kept from the server', () => {
    expect(
      Object.keys(own)
        .map(key => key.replace('insitu.', ''))
        .sort(),
    ).toEqual([...OWN_SETTINGS].sort());
    expect(serverKeys([...Object.keys(own), ...Object.keys(mirrored)])).toEqual(
      Object.keys(mirrored).map(key => key.replace('insitu.', '')),
    );
  });

  test('a workspace that is not trusted says neither what runs nor where numbers come from', () => {
    expect(own['insitu.nodePath']?.scope).toBe('machine');
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(['insitu.store']);
  });

  test('go to the server only where somebody has set them, the nearest one first', () => {
    const known: Record<string, object> = {
      metric: { defaultValue: null, globalValue: 'alloc', workspaceValue: 'cpu' },
      'hints.calls.threshold': { defaultValue: 0.02, globalValue: 0.1 },
      'hints.calls.enabled': { defaultValue: true, workspaceFolderValue: false },
      'hover.enabled': { defaultValue: true },
    };
    expect(givenSettings([...Object.keys(known), 'gone'], key => known[key])).toEqual({
      metric: 'cpu',
      hints: { calls: { threshold: 0.1, enabled: false } },
    });
  });
});

describe('commands', () => {
  test('in menus, links and walkthroughs are declared', () => {
    const inMenus = Object.values(contributes.menus).flatMap(rows => rows.flatMap(({ command }) => command ?? []));
    const texts = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
    ];
    const linked = texts.flatMap(text => [...text.matchAll(/command:(insitu\.\w+)\)/g)].map(([, command]) => command!));
    expect(linked.length).toBeGreaterThan(6);
    for (const command of [...inMenus, ...linked, ...LINKED_COMMANDS]) expect(commands).toContain(command);
  });

  test('are all registered, and nothing else is', () => {
    const registered = new Set([...sources.matchAll(/'(insitu\.\w+)'(?=: |, goTo)/g)].map(([, command]) => command!));
    expect([...registered].sort()).toEqual([...commands].sort());
  });

  test('those of views name views', () => {
    const views = Object.values(contributes.views).flatMap(rows => rows.map(({ id }) => id));
    for (const { view } of contributes.viewsWelcome) expect(views).toContain(view);
    for (const id of views) expect(sources).toContain(`'${id}'`);
  });
});

test('files that it names are there', () => {
  const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map(step => step.media.markdown));
  for (const file of [manifest.icon, ...media]) expect(existsSync(join(extensionFolder, file)), file).toBe(true);
});

test('it is started for Java files, insitu.json and links to a view alone', () => {
  expect(manifest.activationEvents).toEqual(['onLanguage:java', 'workspaceContains:insitu.json', 'onUri']);
});

describe('Node.js', () => {
  test('is the oldest that the server takes, and the editor is the oldest that brings it', () => {
    const server: { engines: { node: string } } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(server.engines.node).toBe(`>=${OLDEST_NODE}`);
    // VS Code 1.104 runs on Electron 37.3, which has Node.js 22.18.0; 1.103 has an older one.
    expect(manifest.engines.vscode).toBe('^1.104.0');
    const types: { version: string } = JSON.parse(
      readFileSync(join(root, 'node_modules/@types/vscode/package.json'), 'utf8'),
    );
    expect(types.version).toMatch(/^1\.104\./);
  });

  test.each(['v22.18.0', 'v22.21.1', 'v24.0.0', 'v100.1.0\n'])('%j is new enough', version => {
    expect(nodeProblem(version, { path: null })).toBeNull();
  });

  test.each(['v22.17.1', 'v20.20.2', 'v8.0.0'])('%s is told to be too old, and what to do', version => {
    expect(nodeProblem(version, { path: null })).toBe(
      `insitu needs Node.js 22.18 or newer, this editor brings ${version}. Update the editor, or set insitu.nodePath to a Node.js 22.18 or newer.`,
    );
    expect(nodeProblem(version, { path: '/opt/node' })).toContain('/opt/node is');
  });

  test.each(['', 'Python 3.11.2', 'spawn /nowhere ENOENT'])('what says %j is no Node.js', said => {
    expect(nodeProblem(said, { path: '/opt/other' })).toMatch(/^\/opt\/other is no Node\.js \(.*clear it/);
  });
});
