// How LSP4IJ reads the folder of a server template, as far as that is known from its loader (0.20): which files, which keys, which types.

/** Tells what is wrong with a value, each with its place; nothing when all is well. */
type Rule = (value: unknown, place: string) => string[];

const wrong = (place: string, wanted: string): string[] => [`${place} must be ${wanted}`];

const text: Rule = (value, place) => (typeof value === 'string' ? [] : wrong(place, 'a text'));
const filled: Rule = (value, place) => (typeof value === 'string' && value !== '' ? [] : wrong(place, 'a filled text'));
const flag: Rule = (value, place) => (typeof value === 'boolean' ? [] : wrong(place, 'true or false'));

function list(of: Rule): Rule {
  return (value, place) =>
    Array.isArray(value) ? value.flatMap((each, at) => of(each, `${place}[${at}]`)) : wrong(place, 'a list');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys of `optional` may be absent; what is named in neither would be ignored, and is a mistake. */
function object(required: Readonly<Record<string, Rule>>, optional: Readonly<Record<string, Rule>> = {}): Rule {
  return (value, place) => {
    if (!isObject(value)) return wrong(place, 'an object');
    const missing = Object.keys(required).filter(key => !(key in value));
    const known: Readonly<Record<string, Rule>> = { ...required, ...optional };
    return [
      ...missing.map(key => `${place}.${key} is missing`),
      ...Object.entries(value).flatMap(([key, each]) => {
        const rule = Object.hasOwn(known, key) ? known[key]! : () => [`${place}.${key} is read by nothing`];
        return rule(each, `${place}.${key}`);
      }),
    ];
  };
}

const texts: Rule = (value, place) =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, each]) => text(each, `${place}.${key}`))
    : wrong(place, 'texts');

/** A command line that is split into the same words by LSP4IJ's rule and by any shell: neither knows escapes or single quotes here. */
const commandLine: Rule = (value, place) => {
  if (typeof value !== 'string' || value.trim() === '') return wrong(place, 'a command');
  if (/[\\']/.test(value)) return wrong(place, 'without escapes and single quotes');
  return value.split('"').length % 2 === 1 ? [] : wrong(place, 'closed by a second quote');
};

/** Files of the folder that are read besides README.md, and what may stand in them. */
export const templateFiles: Readonly<Record<string, Rule>> = {
  'template.json': object(
    {
      id: filled,
      name: filled,
      url: text,
      dev: flag,
      programArgs: object(
        { default: commandLine },
        { windows: commandLine, mac: commandLine, unix: commandLine, linux: commandLine },
      ),
      env: object({ includeSystemEnvironmentVariables: flag, variables: texts }),
      expandConfiguration: flag,
      disablePromotionFor: list(filled),
      languageMappings: list(object({ language: filled, languageId: filled })),
      fileTypeMappings: list(
        object({ fileType: object({}, { name: filled, patterns: list(filled) }), languageId: filled }),
      ),
    },
    { workingDir: filled },
  ),
  'settings.json': object({}, { insitu: (value, place) => (isObject(value) ? [] : wrong(place, 'an object')) }),
  'settings.schema.json': (value, place) => (isObject(value) ? [] : wrong(place, 'an object')),
  'initializationOptions.json': (value, place) => (isObject(value) ? [] : wrong(place, 'an object')),
  'clientSettings.json': object(
    {},
    {
      caseSensitive: flag,
      editor: object(
        {},
        {
          enableStringLiteralImprovements: flag,
          enableStatementTerminatorImprovements: flag,
          enableEnterBetweenBracesFix: flag,
        },
      ),
      format: object({}, { onTypeFormatting: object({}, { serverSide: object({}, { enabled: flag }) }) }),
      workspaceSymbol: object({}, { supportsGotoClass: flag }),
    },
  ),
};

/** The flaws of the files of a folder, by name. */
export function templateProblems(files: Readonly<Record<string, string>>): string[] {
  const unknown = Object.keys(files).filter(name => name !== 'README.md' && !Object.hasOwn(templateFiles, name));
  return [
    ...unknown.map(name => `${name} is read by nothing`),
    ...Object.entries(templateFiles).flatMap(([name, rule]) => {
      const content = files[name];
      if (content === undefined) return [`${name} is missing`];
      try {
        return rule(JSON.parse(content), name.replace('.json', ''));
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    }),
  ];
}

/** The words of a command line as LSP4IJ starts it: spaces separate, quotes group and go. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [group] of line.matchAll(/(?:[^\s"]|"[^"]*")+/g)) words.push(group.replaceAll('"', ''));
  return words;
}
