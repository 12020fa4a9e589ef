// The recipes in docs/versions.md run as they stand there: from a clone to a comment, a SARIF file with places, and the status of a check.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insituProgram } from '../../support/insitu/program.ts';

const DOCUMENT = readFileSync(fileURLToPath(new URL('../../../docs/versions.md', import.meta.url)), 'utf8');

const SOURCE = 'src/com/acme/Benchmark.java';
const BENCHMARK = `package com.acme;

public class Benchmark {
    static long sum;

    public static void main(String[] args) {
        int orders = Integer.parseInt(args.length > 1 ? args[1] : "30000");
        for (int order = 0; order < orders; order++) {
            search(order);
            price(order);
        }
        System.out.println(sum);
    }

    static void search(int order) {
        for (int i = 0; i < 60_000; i++) sum += Integer.rotateLeft(i ^ order, 5);
    }

    static void price(int order) {
        for (int i = 0; i < 30_000; i++) sum += Integer.rotateLeft(i ^ order, 7);
    }
}
`;
const SLOWER = BENCHMARK.replace('30_000; i++', '90_000; i++');

/** The code block behind a text of the document. */
function blockAfter(text: string, language: string): string {
  const [, rest] = DOCUMENT.split(text);
  const [, block] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(rest ?? '') ?? [];
  if (block === undefined) throw new Error(`no block of ${language} behind "${text}"`);
  return block;
}

/** The script of the only step of the workflow that has one, without its indentation. */
function workflowScript(): string {
  const [, script] = /^ {6}- run: \|\n((?: {10}.*\n)+)/m.exec(blockAfter('A workflow for GitHub', 'yaml')) ?? [];
  if (script === undefined) throw new Error('the workflow has no script');
  return script.replaceAll(/^ {10}/gm, '');
}

needs('jdk25', 'the recipes', jdk => checkRecipes(jdk));

function checkRecipes(jdk: Engine): void {
  let scratch: ScratchRepository;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(() => {
    scratch = new ScratchRepository();
    scratch.commit({ [SOURCE]: BENCHMARK, mvnw: MAVEN });
    chmodSync(join(scratch.root, 'mvnw'), 0o755);
    scratch.git('add', '--all', '--chmod=+x', 'mvnw');
    scratch.git('commit', '--amend', '--no-edit', '--quiet');
    scratch.git('tag', 'v1');
    scratch.git('branch', 'base');
    scratch.commit({ [SOURCE]: SLOWER });
    scratch.git('tag', 'v2');
    folder = mkdtempSync(join(tmpdir(), 'insitu-recipe-'));
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const program = (name: string, text: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(programs, name), 0o755);
    };
    program('insitu', `exec "${process.execPath}" "${insituProgram}" "$@"`);
    program('npx', 'exec "$@"');
    const path = [programs, dirname(jdk.program('java')), process.env.PATH].join(':');
    env = { ...scratch.env, PATH: path, repository: scratch.root, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  });

  afterAll(() => {
    scratch.remove();
    rmSync(folder, { recursive: true });
  });

  /** As a step of a workflow runs. */
  function run(script: string, at: string) {
    return spawnSync('bash', ['-e', '-c', script], { cwd: at, env, encoding: 'utf8' });
  }

  function expectFound(at: string, comment: string): void {
    const commit = scratch.git('rev-parse', 'v2').trim().slice(0, 7);
    const text = readFileSync(comment, 'utf8');
    expect(text).toMatch(new RegExp(`: slower: Benchmark\\.price, changed in ${commit}: \\+`));
    expect(text).toContain(`| \`${SOURCE}:19\` | ${commit} `);
    const { results } = JSON.parse(readFileSync(join(at, 'insitu.sarif'), 'utf8')).runs[0];
    expect(results[0]).toMatchObject({
      ruleId: 'slower',
      locations: [{ physicalLocation: { artifactLocation: { uri: SOURCE }, region: { startLine: 19 } } }],
    });
  }

  test('by hand, from git clone to a check that fails', () => {
    const at = join(folder, 'hand');
    mkdirSync(at);
    const { status, stderr } = run(blockAfter('## Recording forks', 'sh'), at);
    expect(stderr).toContain('slower by more than 5.0% of everything before: Benchmark.price, changed in');
    expect(status).toBe(1);
    expectFound(join(at, 'shop'), join(at, 'shop', 'comment.md'));
  });

  test('the workflow, as far as it runs without its host', () => {
    const at = join(folder, 'checkout');
    execFileSync('git', ['clone', '--quiet', scratch.root, at], { env });
    const { status, stderr } = run(workflowScript().replaceAll(/\$\{\{ github\.base_ref \}\}/g, 'base'), at);
    expect(stderr).toContain('slower by more than 5.0% of everything before: Benchmark.price, changed in');
    expect(status).toBe(1);
    expectFound(at, env.GITHUB_STEP_SUMMARY!);
  });
}

/** Stands for the build of a project. */
const MAVEN = `#!/bin/sh
mkdir -p target/classes
javac -g -d target/classes $(find src -name '*.java')
jar --create --file target/benchmark.jar --main-class com.acme.Benchmark -C target/classes .
`;
