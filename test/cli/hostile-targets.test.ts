// One list of hostile names in every text that other programs read: Markdown, SARIF, CSV, SVG, HTML and JSON of commands, tools and pages.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withinLimits } from '../../server/agents/tool-text.ts';
import { outputTo } from '../../server/base/terminal.ts';
import { markdownOf } from '../../server/cli/compared-text.ts';
import { printJson } from '../../server/cli/output.ts';
import { sarifOf } from '../../server/cli/sarif.ts';
import { printReport, type REPORT_FORMS } from '../../server/cli/track-report.ts';
import { ANSWERS } from '../../server/features/answers/answer-table.ts';
import type { ComparedTrees } from '../../server/features/compare/compare-answer.ts';
import { pageMarkdown } from '../../server/lsp/showing/page-text.ts';
import { svgOf } from '../../server/track/chart.ts';
import type { History } from '../../server/track/history.ts';
import { Journal } from '../../server/track/journal.ts';
import { configurationFor } from '../../server/workspace/settings/configuration.ts';
import { expectHarmless, expectSteerless, HOSTILE_NAMES } from '../support/terminals/hostile-text.ts';
import { expectWellFormed } from '../support/terminals/well-formed.ts';

const NAMES = HOSTILE_NAMES.map(name => [JSON.stringify(name.slice(0, 30)), name] as const);
const CELLS = /(?:\\.|[^|\\])+/g;

/** Lines that begin as ours do; the cells of tables are as many as their heads have. */
function expectTables(markdown: string): void {
  expectHarmless(markdown);
  let cells = 0;
  for (const line of markdown.split('\n')) {
    const isRow = line.startsWith('| ');
    const here = isRow ? line.match(CELLS)!.length : 0;
    if (isRow && cells > 0) expect([line, here]).toEqual([line, cells]);
    cells = here;
    // Outside of code spans, escapes and what we write ourselves, nothing is a mark, a link, a tag or a mention.
    const bare = line.replaceAll(/`[^`]*`|\\.|<\/?code>|\[(?:[^\]\\]|\\.)*\]\(<file:[^<>]*>\)/g, '');
    const text = bare.replaceAll(/^(?:- |# |### )|^\*\*([\w ]+)\*\*$|^\|.*\|$/g, '');
    expect(text).not.toMatch(/[*_<>|@~[\]!]|:\/\/|\bwww\.|^\s*(?:[#+=-]|\d+[.)])(?:\s|$)/);
    if (isRow) expect(bare).not.toMatch(/[*_<>@~[\]!]|:\/\/|\bwww\./);
  }
}

function textOf(print: (output: ReturnType<typeof outputTo>) => void): string {
  let text = '';
  print(outputTo({ out: part => (text += part), err: () => {}, isTerminal: false, colour: false }));
  return text;
}

function comparedOf(name: string): ComparedTrees {
  const method = { className: `com.acme.${name}`, method: name, descriptor: null };
  const amounts = { before: 0.1, now: 0.2, change: 0.1 };
  const source = { change: 'changed', path: `src/${name}.java`, line: 1, endLine: 2 } as const;
  const context = { ...method, state: 'kept' as const, above: [method, method] };
  const tested = { verdict: 'slower', p: 0.01 } as const;
  const commit = { hash: 'a'.repeat(40), author: name, dateMillis: 0, subject: name, parent: null };
  const reported = { ...method, ...amounts, margin: 0.01, p: 0.01, source };
  const about = { ...source, caller: method };
  return {
    ...{
      scaling: 'share',
      scalingReason: '',
      sentence: `slower: ${name}: +10 (10% → 20%)`,
      whole: 1,
      jvms: { before: 9, now: 9 },
      tested: { methods: 1, contexts: 1 },
      check: null,
    },
    reports: [
      {
        verdict: 'slower',
        text: name,
        sentence: `slower: ${name}: +10 (10% → 20%)`,
        method: { key: name, id: '', className: name, name, descriptor: null, place: null },
        cause: 'changed',
        ...amounts,
        context,
        source: about,
        commit,
        methods: [reported, reported],
      },
    ],
    methods: [{ ...method, ...amounts, ...tested, presence: 'both', source }],
    contexts: [{ ...context, ...amounts, ...tested, total: { before: 1, now: 1 } }],
    path: [{ ...method, before: 0.1, now: 0.2, state: 'kept', height: 0.1 }],
    ...{ differing: 1, differingMethods: 1, grown: [], recorder: { before: 0.1, now: 0.1 } },
  };
}

describe('a comparison', () => {
  test.each(NAMES)('as Markdown, with %s', (_, name) => {
    const markdown = markdownOf(comparedOf(name), [name, name], () => null, true);
    expectTables(markdown);
    expect(markdown).toMatch(/^`[^`]+` against `[^`]+` \(9 \+ 9 JVMs; .*\): slower: .*\n\n/);
    expect(markdown.split('\n').filter(line => line.startsWith('|'))).toHaveLength(6);
  });

  test.each(NAMES)('as SARIF, with %s', (_, name) => {
    const text = textOf(output =>
      printJson(
        output,
        sarifOf(comparedOf(name), () => null),
      ),
    );
    expectSteerless(text);
    const [{ results }] = JSON.parse(text).runs;
    expect(results[0].locations[0].logicalLocations[0].fullyQualifiedName).toBe(`com.acme.${name}.${name}`);
  });
});

describe('answers for agents and pages of editors', () => {
  const methods = ANSWERS.find(({ name }) => name === 'top')!;

  test.each(NAMES)('with %s', (_, name) => {
    const origin = {
      ...{ program: name, versions: [name], metric: name, part: name, code: name, baseline: name },
      ...{ samples: 1, ageMinutes: 1, incomplete: 0, problems: [{ severity: 'error', text: name }] },
    };
    const row = { method: { key: name, place: { file: name, line: 1 } }, share: { text: '1 %' }, words: name };
    const { text } = withinLimits(methods, { origin, subject: name, rows: [row], total: 1, leftOut: 0 }, {});
    expectTables(text);
    const place = {
      location: { uri: `file:///${encodeURIComponent(name.slice(0, 30).toWellFormed())}`, range: RANGE },
      certain: true,
    };
    const page = { file: 'x', title: name, intro: [name], head: ['n', 'a', 'name'], whenEmpty: '' };
    expectTables(pageMarkdown({ ...page, data: name, rows: [{ cells: ['1', name], name, place }] }));
  });
});

const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

describe('a report of track', () => {
  const ELEMENTS =
    'html head title style body h1 h2 section p ul li pre svg text g line circle polyline rect path a'.split(' ');

  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'insitu-targets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function historyOf(name: string): History {
    const commit = { author: name, subject: name, authoredMillis: 0, tag: name };
    const commits = ['a', 'b', 'c'].map(digit => ({ ...commit, hash: digit.repeat(40) }));
    const failures = [{ reason: 'failed', detail: name, count: 1 }] as const;
    const points = [1, null, 3].map((mean, at) => {
      const values = mean === null ? [] : [mean];
      return { at, mean, values, raw: values, heldUp: 0, failures: mean === null ? failures : [] };
    });
    const comparison = { verdict: 'slower', change: 2, p: 0.001, margin: 0.1, forks: [5, 5] } as const;
    const step = { before: 0, at: 2, comparison, p: 0.001, isFound: true };
    const steadiness = { known: 0, unknown: 0, compiling: 0, share: null, neededSeconds: null };
    const others = { drift: [], noise: 0.01, steadiness, unclear: [], changedTests: [2] };
    const series = [{ benchmark: name, points, suspects: [step], ...others }];
    return { commits, base: 0, seed: 1, series, gaps: [{ at: 1, benchmark: name, reason: `failed: ${name}` }] };
  }

  async function reportOf(name: string, form: (typeof REPORT_FORMS)[number], program = name): Promise<string> {
    let text = '';
    const output = outputTo({ out: part => (text += part), err: () => {}, isTerminal: false, colour: false });
    const configuration = configurationFor(folder, { store: join(folder, 'store'), project: 'acme' });
    const reported = { history: historyOf(name), journal: new Journal(folder, 1), configuration, program };
    await printReport(output, form, reported);
    return text;
  }

  test.each(NAMES)('in all forms, with %s', async (_, name) => {
    expectHarmless(await reportOf(name, 'text'));
    for (const form of ['svg', 'html'] as const) expectWellFormed(await reportOf(name, form), new Set(ELEMENTS));
    const csv = await reportOf(name, 'csv');
    expectSteerless(csv);
    expect(csv.trimEnd().split('\n')).toHaveLength(4);
    const json = await reportOf(name, 'json');
    expectSteerless(json);
    expect(JSON.parse(json).benchmarks[0].name).toBe(name);
  });

  test.each(NAMES)('with a finding by profile in the chart, with %s', (_, name) => {
    const method = { className: name, name, descriptor: name };
    const found = { method, of: 'self', before: 0.1, now: 0.4, margin: 0.1, p: 0.001 } as const;
    const finding = { before: 0, at: 2, methods: [found] as const, time: null, forks: [8, 8] as const };
    const evidence = [{ findings: [finding], forks: 16, commits: 1 }];
    expectWellFormed(svgOf({ ...historyOf(name), evidence }), new Set(ELEMENTS));
  });

  test('of long subjects shows the two ends, except to programs', async () => {
    const long = `begin${'x'.repeat(100_000)}end`;
    for (const form of ['text', 'svg', 'html'] as const)
      expect((await reportOf(long, form, 'shop')).length).toBeLessThan(60_000);
    for (const form of ['csv', 'json'] as const) expect(await reportOf(long, form, 'shop')).toContain(long);
  });
});
