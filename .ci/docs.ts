// Writes what follows from the table of settings (JSON schemas, reference page) and from the table of answers (their reference, their types).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldRule, SETTINGS, type SettingRule } from '../server/base/config.ts';
import { answerTypes } from './answer-types.ts';
import { answersReference } from './answers-reference.ts';

const ROOT = join(import.meta.dirname, '..');
const EXTENSIONS = 'docs/lsp-extensions.md';
const VSCODE_MANIFEST = 'clients/vscode/package.json';

/** Path below the root → text that must stand there. */
export function generatedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/insitu.schema.json', `${JSON.stringify(settingsSchema(), null, 2)}\n`],
    ['docs/configuration.md', configurationPage()],
    ['clients/intellij/insitu/settings.schema.json', `${JSON.stringify(intellijSchema(), null, 2)}\n`],
    [VSCODE_MANIFEST, vscodeManifest()],
    [EXTENSIONS, extensionsPage()],
    ['server/features/answers/answer-types.ts', answerTypes()],
  ]);
}

type ObjectNode = { type: 'object'; properties: Record<string, unknown>; additionalProperties: false };

/** JSON schema (draft 2020-12) of insitu.json. Dots in keys become nested objects. */
function settingsSchema(): object {
  const root = settingsNode();
  const properties = { $schema: { type: 'string' }, ...root.properties };
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'insitu.json', ...root, properties };
}

/** JSON schema of what LSP4IJ keeps as the server's configuration: the settings below `insitu`, in the draft that every IntelliJ knows. */
function intellijSchema(): object {
  const node = { ...objectNode(), properties: { insitu: settingsNode() } };
  // LSP4IJ also takes keys with dots for objects.
  const dotted = { '^insitu\\.': {} };
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'insitu', ...node, patternProperties: dotted };
}

/** The manifest of VS Code's extension as it stands, with the settings below the title `insitu` as they must be. */
function vscodeManifest(): string {
  const manifest: { contributes: { configuration: { title: string; properties: object }[] } } = JSON.parse(
    readOrEmpty(VSCODE_MANIFEST),
  );
  for (const section of manifest.contributes.configuration)
    if (section.title === 'insitu') section.properties = vscodeSettings();
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The page about the protocol as it stands, with the reference of answers between its marks as it must be. */
function extensionsPage(): string {
  const [begin, end] = ['<!-- answers: written by .ci/docs.ts -->\n', '<!-- end of answers -->'];
  const page = readOrEmpty(EXTENSIONS);
  const [before = '', rest = ''] = page.split(begin);
  return `${before}${begin}\n${answersReference()}\n\n${end}${rest.split(end)[1] ?? ''}`;
}

/** Every setting by its whole name, as VS Code wants it; the scope is that of a window because the server is one for all folders. */
function vscodeSettings(): object {
  return Object.fromEntries(
    Object.entries(SETTINGS).map(([key, rule]) => [`insitu.${key}`, { scope: 'window', ...ruleNode(rule) }]),
  );
}

function settingsNode(): ObjectNode {
  const root = objectNode();
  const groups = new Map<string, ObjectNode>([['', root]]);
  for (const [key, rule] of Object.entries(SETTINGS)) {
    const dot = key.lastIndexOf('.');
    groupNode(groups, key.slice(0, Math.max(dot, 0))).properties[key.slice(dot + 1)] = ruleNode(rule);
  }
  return root;
}

/** The object behind a dotted prefix, made with all those around it. */
function groupNode(groups: Map<string, ObjectNode>, prefix: string): ObjectNode {
  const known = groups.get(prefix);
  if (known !== undefined) return known;
  const dot = prefix.lastIndexOf('.');
  const node = objectNode();
  groupNode(groups, prefix.slice(0, Math.max(dot, 0))).properties[prefix.slice(dot + 1)] = node;
  groups.set(prefix, node);
  return node;
}

function objectNode(): ObjectNode {
  return { type: 'object', properties: {}, additionalProperties: false };
}

function ruleNode(rule: SettingRule): object {
  const common = { description: rule.says, default: rule.default };
  switch (rule.type) {
    case 'boolean':
      return { type: 'boolean', ...common };
    case 'string':
      return { type: ['string', 'null'], ...(rule.like && { pattern: rule.like.pattern }), ...common };
    case 'choice':
      return { enum: rule.oneOf, ...common };
    case 'share':
      return { type: 'number', minimum: 0, maximum: 1, ...common };
    case 'integer':
      return { type: 'integer', minimum: rule.minimum, maximum: rule.maximum, ...common };
    case 'strings':
      return {
        type: 'object',
        additionalProperties: { type: 'string', ...(rule.like && { pattern: rule.like.pattern }) },
        ...common,
      };
    case 'objects':
      return { type: 'array', items: itemNode(rule.fields), ...common };
  }
}

function itemNode(fields: Readonly<Record<string, FieldRule>>): object {
  const properties = Object.entries(fields).map(([name, { oneOf, says }]) => [
    name,
    { type: 'string', ...(oneOf === undefined ? {} : { enum: oneOf }), description: says },
  ]);
  const required = Object.keys(fields).filter(name => fields[name]?.required);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(
    ([key, rule]) => `| \`${key}\` | ${kindOf(rule)} | \`${JSON.stringify(rule.default)}\` | ${rule.says} |`,
  );
  return `${INTRODUCTION}| key | type | default | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n${listPages()}`;
}

/** The fields of each object in settings that are lists. */
function listPages(): string {
  return Object.entries(SETTINGS)
    .map(([key, rule]: [string, SettingRule]) => (rule.type === 'objects' ? listPage(key, rule.fields) : ''))
    .join('');
}

function listPage(key: string, fields: Readonly<Record<string, FieldRule>>): string {
  const rows = Object.entries(fields).map(([name, { required, oneOf, says }]) => {
    const kind = oneOf === undefined ? 'string' : oneOf.map(text => `\`${text}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${required ? 'yes' : 'no'} | ${says} |`;
  });
  const heading = `\n## Each of \`${key}\`\n\n`;
  return `${heading}| field | type | required | what it is |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function kindOf(rule: SettingRule): string {
  switch (rule.type) {
    case 'choice':
      return rule.oneOf.map(text => `\`${text}\``).join(', ');
    case 'share':
      return 'number, 0 to 1';
    case 'integer':
      return `whole number, ${rule.minimum} to ${rule.maximum}`;
    case 'strings':
      return 'object of strings';
    case 'objects':
      return 'list of objects';
    default:
      return rule.type;
  }
}

const INTRODUCTION = `# Settings

Everything works without any setting. \`insitu.json\` in the root of a workspace holds what a team shares; comments and trailing commas are allowed, dots in a key are nested objects, and
[insitu.schema.json](insitu.schema.json) describes it to editors. Stronger than the file are the editor's own settings (the same keys below \`insitu\`), and stronger still the options of a command
(\`--store\`, \`--project\`, \`--program\`, \`--version\`). For the store, the environment variable \`INSITU_STORE\` stands between the editor and the file.

\`\`\`jsonc
{
  "$schema": "./node_modules/insitu/docs/insitu.schema.json",
  "project": "shop",
  "programs": { "services/billing": "billing", "services/web": "web" },
  "metrics": [{ "event": "com.acme.Query", "weight": "duration", "unit": "nanoseconds" }],
  "tasks": [{ "name": "services", "type": "regex", "value": "^com\\\\.acme\\\\.service\\\\.(?<service>[^.]+)", "taskName": "\${service}" }],
  "hints": { "calls": { "threshold": 0.05 } } // fewer call hints
}
\`\`\`

A file in a cloned repository is not trusted: its \`store\` may only be a folder of this machine. The editor asks once whether another place may be used and remembers a yes for that
folder and that place; credentials are never taken from it. Unknown keys and wrong types are reported at their text, and the default holds.

`;

/** Paths whose text on disk differs from what it should be. */
export function outdatedDocs(): string[] {
  return [...generatedDocs()].flatMap(([path, text]) => (readOrEmpty(path) === text ? [] : [path]));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) for (const [path, text] of generatedDocs()) writeFileSync(join(ROOT, path), text);
