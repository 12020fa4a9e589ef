// The outline against javac itself, over java.base: every declaration, lambda, call and type name, with places and lines.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Declaration, Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import type { Statement } from '../../grammar/statement.ts';
import { statementsOf } from '../../grammar/statements.ts';
import type { Engine } from '../support/engines/engines.ts';
import { needs } from '../support/engines/needs.ts';
import { jdks } from '../support/engines/versions.ts';
import { sampled } from '../support/runs.ts';

const program = fileURLToPath(new URL('JavacOutline.java', import.meta.url));
const exported = ['tree', 'code', 'util'].flatMap(name => [
  '--add-exports',
  `jdk.compiler/com.sun.tools.javac.${name}=ALL-UNNAMED`,
]);
const skipped = new Set(['field', 'anonymousClass', 'staticInitializer', 'instanceInitializer']);

/** The output of javac, by file. */
function javac(engine: Engine, options: readonly string[], files: readonly string[]): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-javac-'));
  try {
    const list = join(folder, 'files');
    writeFileSync(list, files.join('\n'));
    const java = join(engine.home, 'bin', 'java');
    const text = execFileSync(java, ['-Xmx2g', ...exported, program, ...options, '--', `@${list}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const blocks = text
      .split(/^F\t/m)
      .slice(1)
      .map(block => block.trimEnd().split('\n'));
    return new Map(blocks.map(([file, ...lines]) => [file!, lines]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** javac gives the implicit class of a compact source file no end. */
function endOf({ kind, name, nameSpan, span }: Declaration): number {
  return kind === 'class' && name !== '' && nameSpan.start === nameSpan.end ? -1 : span.end;
}

function namesOf(outline: Outline): string[] {
  return outline.declarations.filter(one => one.binaryName !== '').map(one => `N\t${one.binaryName}\t${endOf(one)}`);
}

function syntaxOf(outline: Outline): string[] {
  const declarations = outline.declarations
    .filter(one => !skipped.has(one.kind))
    .map(one => {
      const { kind, name, span } = one;
      const place = kind === 'enumConstant' ? '0\t0' : `${span.start}\t${endOf(one)}`;
      return `D\t${kind === 'compactConstructor' ? 'constructor' : kind}\t${name}\t${place}`;
    });
  const calls = outline.callSites.filter(site => site.kind !== 'implicit');
  return [...declarations, ...calls.map(site => `C\t${site.kind}\t${site.name}\t${site.argumentCount}\t${site.line}`)];
}

/** All loops, branches, calls and lambdas of a file, as `JavacOutline.java --statements` prints them. */
function statementsIn(outline: Outline, text: string): string[] {
  const lines: string[] = [];
  const collect = (statement: Statement) => {
    const { form, span, parts } = statement;
    const compared = parts.filter(({ role }) => !uncompared.has(role));
    const end = form === 'new' ? 0 : span.end;
    const texts = compared.map(part => `\t${part.role}\t${part.span.start}\t${part.span.end}`);
    lines.push(`S\t${form}\t${span.start}\t${end}${texts.join('')}`);
    for (const { role, span: place, statements } of parts) {
      if (role === 'case') lines.push(`S\tcase\t${place.start}`);
      for (const each of statements) collect(each);
    }
  };
  for (const declaration of outline.declarations) {
    if (declaration.kind === 'lambda') continue;
    for (const each of statementsOf(text, outline, declaration)) collect(each);
  }
  return lines;
}

/** Parts to which javac gives other places than the tokens of the code have. */
const uncompared = new Set(['init', 'update', 'resources', 'case']);

/** Lines that only one side has, and how many there are in all. */
function compare(
  truth: Map<string, string[]>,
  own: (outline: Outline, text: string) => string[],
): { differences: string[]; compared: number; apart: number } {
  const differences: string[] = [];
  let [compared, apart] = [0, 0];
  for (const [file, lines] of truth) {
    const text = readFileSync(file, 'utf8');
    const outline = outlineOf(text, file);
    const wanted = lines.toSorted();
    const found = own(outline, text).toSorted();
    compared += wanted.length;
    if (wanted.join('\n') !== found.join('\n')) {
      const one = new Set(wanted);
      const other = new Set(found);
      const lacking = wanted.filter(line => !other.has(line));
      const foreign = found.filter(line => !one.has(line)).map(line => `not ${line}`);
      apart += Math.max(lacking.length, foreign.length);
      differences.push(`${file}: ${[...lacking, ...foreign].slice(0, 3).join('; ')}`);
    }
    for (const problem of outline.problems) differences.push(`${file}:${problem.line}: ${problem.message}`);
  }
  return { differences, compared, apart };
}

for (const version of jdks()) {
  needs(version, `java.base of ${version}`, engine => {
    const folder = join(engine.sources ?? '', 'java.base');
    const all = globSync('**/*.java', { cwd: folder }).map(file => join(folder, file));
    const files = sampled(all);
    const part = files.length / all.length;

    test('declarations, lambdas and calls are where javac has them, and nothing is reported', () => {
      const { differences, compared } = compare(javac(engine, ['-proc:none'], files), syntaxOf);
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(150_000 * part);
    });

    test('loops, branches, calls and lambdas have the places and parts that javac gives them', () => {
      const { differences, compared } = compare(javac(engine, ['--statements', '-proc:none'], files), statementsIn);
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(150_000 * part);
    });

    test('types have the names that javac gives them', () => {
      const only = (lines: string[]): string[] => lines.filter(line => line.startsWith('N'));
      const names = javac(engine, ['--names', '-proc:none', '--patch-module', `java.base=${folder}`], files);
      const { differences, compared } = compare(
        new Map([...names].map(([file, lines]) => [file, only(lines)])),
        namesOf,
      );
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(4_000 * part);
    });
  });
}

needs('jdk25', 'compact source files', engine => {
  const files = ['Compact', 'Small'].map(name =>
    fileURLToPath(new URL(`../accuracy/corpus/compact/${name}.java`, import.meta.url)),
  );

  test('the class around members is the one that javac makes', () => {
    const all = javac(engine, ['--names', '-proc:none'], files);
    const { differences, compared } = compare(all, outline => [...namesOf(outline), ...syntaxOf(outline)]);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(90);
  });

  test.each([
    ['no method main', 'void run() { }\n'],
    ['a package', 'package p;\nvoid main() { }\n'],
  ])('javac refuses one with %s, and no class stands around it', (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-javac-'));
    try {
      const file = join(folder, 'Text.java');
      writeFileSync(file, text);
      const { status } = spawnSync(engine.program('javac'), ['-d', folder, file]);
      expect(status).toBe(1);
      expect(outlineOf(text, file)).toEqual({ ...outlineOf(text), file });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
