// Decides under which project, program, version and instance a JVM is recorded, and knows why.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { readRegular } from '../base/regular-file.ts';
import type { Execution } from '../model/execution.ts';
import { encodeSegment } from '../store/key.ts';
import { readJar } from './jar.ts';
import type { Jvm } from './jvms.ts';

/** Manifests and property files are far smaller. */
const MOST_TEXT_BYTES = 1 << 20;

/** Parts of an execution that the user has named. */
type NamedExecution = { readonly [K in keyof Execution]?: string | undefined };

/** The sources of names of executions outside of the JVMs, strongest first. */
export type ExecutionSources = {
  readonly flags: NamedExecution;
  /** INSITU_PROJECT, INSITU_PROGRAM, INSITU_VERSION and INSITU_INSTANCE of the recorder. */
  readonly environment: NamedExecution;
  /** insitu.json. */
  readonly file: NamedExecution;
  /** The name of the folder that the recorder works in, for a project without a name. */
  readonly folder: string;
  /** The data shown in an editor: for programs and versions that neither the user nor the JVM names. */
  readonly shown?: NamedExecution;
};

/** An execution and where each part of it comes from, for people. */
export type DecidedExecution = {
  readonly execution: Execution;
  readonly reasons: { readonly [K in keyof Execution]: string };
};

const FIELDS = ['project', 'program', 'version', 'instance'] as const;
type Field = (typeof FIELDS)[number];
type Found = { readonly value: string; readonly reason: string };

const MANIFEST = 'META-INF/MANIFEST.MF';
const GIT = 'git.properties';
const SPRING_GIT = 'BOOT-INF/classes/git.properties';
const LONGEST = 100;
const MOST_JARS = 50;

/** The variables of an environment that name an execution. */
export function namedByEnvironment(env: Readonly<Record<string, string | undefined>>): NamedExecution {
  const { INSITU_PROJECT: project, INSITU_PROGRAM: program, INSITU_VERSION: version, INSITU_INSTANCE: instance } = env;
  return { project, program, version, instance };
}

/**
 * For each part the first that names it: a flag, the recorder's environment, insitu.json, `-Dinsitu.…` of the JVM, the jar's manifest
 * or git.properties, what is shown, and what can be told of any JVM.
 */
export function decideExecution(
  jvm: Jvm,
  { flags, environment, file, folder, shown = {} }: ExecutionSources,
): DecidedExecution {
  const code = lazily(() => codeOf(jvm));
  const decide = (field: Field): Found =>
    named(flags[field], `--${field}`) ??
    named(environment[field], `INSITU_${field.toUpperCase()}`) ??
    named(file[field], 'insitu.json') ??
    named(propertyOf(jvm, `insitu.${field}`), `-Dinsitu.${field} of the JVM`) ??
    named(code().get(field)?.value, code().get(field)?.reason ?? '') ??
    named(shown[field], 'what is shown') ??
    fallback(field, jvm, folder);
  const found = {
    project: decide('project'),
    program: decide('program'),
    version: decide('version'),
    instance: decide('instance'),
  };
  return {
    execution: {
      project: found.project.value,
      program: found.program.value,
      version: found.version.value,
      instance: found.instance.value,
    },
    reasons: {
      project: found.project.reason,
      program: found.program.reason,
      version: found.version.reason,
      instance: found.instance.reason,
    },
  };
}

function named(value: string | undefined, reason: string): Found | null {
  const text = value?.trim() ?? '';
  return text === '' ? null : { value: shortened(text), reason };
}

/** As much of a name as a store takes for one, from its beginning or its end. */
export function shortened(text: string, end: 'begin' | 'end' = 'begin'): string {
  const characters = [...text];
  const kept = end === 'begin' ? characters.slice(0, LONGEST) : characters.slice(-LONGEST);
  while (encodeSegment(kept.join('')) === null) {
    if (end === 'begin') kept.pop();
    else kept.shift();
  }
  return kept.join('');
}

function fallback(field: Field, jvm: Jvm, folder: string): Found {
  switch (field) {
    case 'project':
      return { value: shortened(folder), reason: 'the folder or git root that the recorder works in' };
    case 'program':
      return { value: shortened(programName(jvm)), reason: 'the main class or jar' };
    case 'version':
      return { value: 'unknown', reason: 'nothing names it' };
    case 'instance':
      return { value: shortened(`${hostname()}-${jvm.pid}`), reason: 'host and process' };
  }
}

/** `orders` for `/opt/orders-1.4.2.jar`, the class itself for `com.acme.Main`. */
function programName({ main }: Jvm): string {
  const jar = basename(main).replace(/\.jar$/i, '');
  if (jar === basename(main)) return main.slice(main.lastIndexOf('/') + 1) || 'java';
  return jar.replace(/-\d[\w.-]*$/, '') || jar;
}

function propertyOf({ jvmArgs }: Jvm, name: string): string | undefined {
  return jvmArgs.findLast(arg => arg.startsWith(`-D${name}=`))?.slice(name.length + 3);
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The names in the jar or folder that the program was started from. */
function codeOf(jvm: Jvm): ReadonlyMap<Field, Found> {
  const found = new Map<Field, Found>();
  const place = placeOfCode(jvm);
  if (place === null) return found;
  const { manifest, git, name } = place;
  const title = attribute(manifest, 'Implementation-Title');
  const stated = attribute(manifest, 'Implementation-Version');
  const commit = attribute(manifest, 'Git-Commit');
  const properties = property(git, 'git.commit.id.full') ?? property(git, 'git.commit.id');
  if (title !== null) found.set('program', { value: title, reason: `Implementation-Title in the manifest of ${name}` });
  // A snapshot version stands for any number of commits.
  if (stated !== null && !/-SNAPSHOT$/i.test(stated))
    found.set('version', { value: stated, reason: `Implementation-Version in the manifest of ${name}` });
  else if (commit !== null) found.set('version', { value: commit, reason: `Git-Commit in the manifest of ${name}` });
  else if (properties !== null) found.set('version', { value: properties, reason: `git.properties in ${name}` });
  else if (stated !== null)
    found.set('version', { value: stated, reason: `Implementation-Version in the manifest of ${name}` });
  return found;
}

function placeOfCode(jvm: Jvm): { manifest: string; git: string; name: string } | null {
  const mainClass = `${jvm.main.slice(jvm.main.indexOf('/') + 1).replaceAll('.', '/')}.class`;
  const isJar = /\.jar$/i.test(jvm.main);
  const entries = isJar
    ? [jvm.main]
    : jvm.classPath
        .split(':')
        .filter(entry => entry !== '')
        .slice(0, MOST_JARS);
  for (const entry of entries) {
    const path = isAbsolute(entry) ? join(jvm.root || '/', entry) : join(`/proc/${jvm.pid}/cwd`, entry);
    const name = basename(entry);
    if (/\.jar$/i.test(entry)) {
      const texts = readJar(path, [MANIFEST, GIT, SPRING_GIT, mainClass]);
      if (!isJar && !texts.has(mainClass)) continue;
      return { manifest: texts.get(MANIFEST) ?? '', git: texts.get(GIT) ?? texts.get(SPRING_GIT) ?? '', name };
    }
    if (existsSync(join(path, mainClass)))
      return { manifest: fileText(join(path, MANIFEST)), git: fileText(join(path, GIT)), name };
  }
  return null;
}

function fileText(path: string): string {
  try {
    return readRegular(path, MOST_TEXT_BYTES).toString('utf8');
  } catch {
    return '';
  }
}

/** An attribute of the manifest's main section; long lines are continued behind a blank. */
function attribute(manifest: string, name: string): string | null {
  const main = manifest.replace(/\r\n?/g, '\n').split('\n\n')[0]!.replace(/\n /g, '');
  return (
    main
      .split('\n')
      .find(line => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
      .trim() || null
  );
}

function property(text: string, name: string): string | null {
  const line = text.split(/\r?\n/).find(each => each.replace(/\s*[=:].*$/, '').trim() === name);
  return line?.replace(/^[^=:]*[=:]\s*/, '').trim() || null;
}
