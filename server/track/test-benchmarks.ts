// Test classes of a Maven project as benchmarks: how a commit is built for them, and how a fork of one runs.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegular } from '../base/regular-file.ts';
import { textOfBytes } from '../mapping/source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../mapping/source-walk.ts';
import { fingerprintsOf } from '../mapping/stale/source-fingerprints.ts';
import { type Benchmark, type ForkOutcome, type ForkPlaces, shellWord } from './benchmark.ts';
import type { CommandRun } from './run-command.ts';

/** The build puts it beside the bundle. */
const RUNNER = fileURLToPath(new URL('./TestRunner.java', import.meta.url));
/** Where Maven keeps test sources and what it compiles. */
const SOURCES = join('src', 'test', 'java');
const COMPILED = [join('target', 'test-classes'), join('target', 'classes')];
/** Beside the tree: the class path of the tests. */
const CLASS_PATH = 'classpath';
/** Checks of a build that say nothing of its speed. */
const LEFT_OUT = ['rat', 'checkstyle', 'enforcer', 'animal.sniffer', 'jacoco', 'pmd', 'cpd', 'spotbugs', 'japicmp'];
/** JUnit 5 of projects that have JUnit 4 alone. */
const VINTAGE = '5.10.2';
const MOST_RESULT_BYTES = 4 << 20;

/** The command that makes a commit ready: it compiles the tests and writes their class path beside the tree. */
function buildCommandOf(maven: string): string {
  const skipped = LEFT_OUT.map(name => `-D${name}.skip`).join(' ');
  const goals = 'test-compile org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
  return `${maven} -B -q ${skipped} ${goals} -Dmdep.includeScope=test -Dmdep.outputFile="$PWD/../${CLASS_PATH}"`;
}

/** Names of the classes in the test sources of a tree that Maven would take for tests, sorted. */
export function testClassesIn(paths: readonly string[]): string[] {
  const prefix = `${SOURCES.split(sep).join('/')}/`;
  return paths
    .filter(path => path.startsWith(prefix) && path.endsWith('.java'))
    .map(path => classOf(path.slice(prefix.length)))
    .filter(name => /(?:^|\.)(?:Test[^.]*|[^.]*(?:Test|Tests|TestCase))$/.test(name))
    .sort();
}

function classOf(path: string): string {
  return path.slice(0, -'.java'.length).replaceAll('/', '.');
}

/** A test class as a benchmark that runs for so many seconds. */
export function testBenchmark(name: string, seconds: number, maven: string): Benchmark {
  return {
    name,
    about: { command: `test class ${name} for ${seconds} s`, build: buildCommandOf(maven) },
    testClass: name,
    isProcessorTime: false,
    command: places => forkCommand(name, seconds, places),
    outcome: outcomeOf,
  };
}

function forkCommand(
  name: string,
  seconds: number,
  { folder, root, result, recordings, settings }: ForkPlaces,
): string {
  const classPath = readRegular(join(dirname(folder), CLASS_PATH), MOST_RESULT_BYTES)
    .toString('utf8')
    .trim();
  const launcher = launcherOf(classPath);
  const own = join(root, launcher.name);
  const jars = readFileSync(join(own, CLASS_PATH), 'utf8').trim();
  const all = [own, ...COMPILED.map(each => join(folder, each)), classPath, jars].filter(each => each !== '');
  const words = [
    '-XX:FlightRecorderOptions=stackdepth=256',
    '-Xlog:jfr+startup=off',
    '-cp',
    all.join(delimiter),
    'insitu.TestRunner',
    name,
    String(seconds),
    result,
    join(recordings, 'test.jfr'),
    settings,
  ];
  return `exec ${JAVA('java')} ${words.map(shellWord).join(' ')}`;
}

/** A program of the JDK that Maven uses too. */
const JAVA = (program: string) => `"\${JAVA_HOME:+$JAVA_HOME/bin/}${program}"`;

function outcomeOf(run: CommandRun, { result }: ForkPlaces): ForkOutcome {
  let text: string;
  try {
    text = readRegular(result, MOST_RESULT_BYTES).toString('utf8');
  } catch {
    return { reason: 'failed', detail: run.reason || 'the JVM ended without a result' };
  }
  const rows = text.split('\n').map(line => line.split('\t'));
  const fieldOf = (key: string) => rows.find(row => row[0] === key)?.[1];
  const absent = fieldOf('absent');
  if (absent !== undefined) return { reason: 'absent', detail: absent };
  const failed = fieldOf('failed');
  if (failed !== undefined) return { reason: 'failed', detail: failed.slice(0, 1000) };
  const [runs, quartile] = [Number(fieldOf('runs')), Number(fieldOf('quartile'))];
  if (!(runs > 0 && quartile >= 0)) return { reason: 'failed', detail: 'the result of the runner cannot be read' };
  const parts = rows.filter(([key, , sum]) => key === 'part' && Number(sum) >= 0);
  return { millis: quartile / 1e6, parts: Object.fromEntries(parts.map(row => [row[1], Number(row[2]) / runs / 1e6])) };
}

type Run = (command: string, folder: string) => Promise<CommandRun>;

/**
 * Gets the launcher of JUnit that fits the tests of a built tree, and compiles the runner against it.
 * @param root folder that stays for all trees
 * @returns null, or why that was not possible
 */
export async function prepareRunner(maven: string, folder: string, root: string, run: Run): Promise<string | null> {
  const classPath = readRegular(join(dirname(folder), CLASS_PATH), MOST_RESULT_BYTES).toString('utf8');
  const launcher = launcherOf(classPath);
  const own = join(root, launcher.name);
  if (launcher.artefacts.length === 0) return 'there is no JUnit among the dependencies of the tests';
  if (readdirSync(root).includes(launcher.name)) return null;
  mkdirSync(own);
  writeFileSync(join(own, 'pom.xml'), pomOf(launcher.artefacts));
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
  const resolved = await run(`${maven} -B -q ${goal} -Dmdep.outputFile="$PWD/${CLASS_PATH}"`, own);
  if (resolved.end !== 'done') return `Maven does not find the launcher of JUnit: ${resolved.reason} ${resolved.tail}`;
  const compile = `${JAVA('javac')} -d . -cp "$(cat ${CLASS_PATH})" ${shellWord(RUNNER)}`;
  const compiled = await run(compile, own);
  return compiled.end === 'done' ? null : `the runner does not compile: ${compiled.tail}`;
}

type Launcher = {
  readonly name: string;
  readonly artefacts: readonly (readonly [group: string, name: string, version: string])[];
};

/** JUnit's platform 1.x belongs to Jupiter 5.x; from 6 on both have one number. */
function launcherOf(classPath: string): Launcher {
  const platform = /junit-platform-engine-(\d+\.[\w.-]+?)\.jar/.exec(classPath)?.[1];
  const jupiter = /junit-jupiter-(?:api|engine)-(\d+\.[\w.-]+?)\.jar/.exec(classPath)?.[1];
  const hasOld = /(?:^|[/\\])junit-4[\w.-]*\.jar/m.test(classPath);
  const version = jupiter ?? (platform === undefined ? (hasOld ? VINTAGE : undefined) : platform.replace(/^1\./, '5.'));
  if (version === undefined) return { name: 'launcher-none', artefacts: [] };
  return {
    name: `launcher-${version}${hasOld ? '-vintage' : ''}`,
    artefacts: [
      ['org.junit.platform', 'junit-platform-launcher', platform ?? version.replace(/^5\./, '1.')],
      ...(jupiter === undefined ? [] : [['org.junit.jupiter', 'junit-jupiter-engine', version] as const]),
      ...(hasOld ? [['org.junit.vintage', 'junit-vintage-engine', version] as const] : []),
    ],
  };
}

function pomOf(artefacts: Launcher['artefacts']): string {
  const dependencies = artefacts.map(
    ([group, name, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    '<groupId>insitu</groupId><artifactId>launcher</artifactId><version>1</version><packaging>pom</packaging>',
    `<dependencies>${dependencies.join('')}</dependencies></project>\n`,
  ].join('\n');
}

/** A fingerprint of each class of the test sources in a tree: of its code, whatever its layout and comments are. */
export function testFingerprints(folder: string): Record<string, string> {
  const root = join(folder, SOURCES);
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.java')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = textOfBytes(path, readRegular(path, FILE_BYTES_MAX));
    const members = fingerprintsOf(text, entry.name).members.map(({ parent, kind, name, signature, code }) => [
      ...[parent, kind, name, signature, code],
    ]);
    const hash = createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 16);
    found[classOf(relative(root, path).split(sep).join('/'))] = hash;
  }
  return found;
}
