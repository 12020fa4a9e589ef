// Figures 1, 4 and 7 of the paper on performance evolution blueprints: positions, sizes, colours and edges by its formulas, keyboard alone.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { boxes, type Context, type Drawn, kiekerLog } from './blueprint-boxes.ts';
import { startViewIn } from './view-process.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };

type Figure = {
  readonly before: Context;
  readonly now: Context;
  /** Classes whose source the second version changes. */
  readonly changed: readonly string[];
  /** The sign and the caller of each box, in any order. */
  readonly shown: readonly (readonly [label: string, caller: string])[];
};

const call = (name: string, millis: number, times: number, ...calls: readonly Context[]): Context => ({
  ...{ name, millis, times, calls },
});

/** One context of each kind: red, light red, green, light green, yellow and gray. */
const FIGURE_1: Figure = {
  before: call(
    'Bench',
    4,
    1,
    call('Slow', 20, 2, call('Step', 12, 4)),
    call('Tuned', 60, 1, call('Spare', 24, 8)),
    call('Gone', 40, 4),
  ),
  now: call(
    'Bench',
    4,
    1,
    call('Slow', 60, 2, call('Step', 36, 12)),
    call('Tuned', 20, 1, call('Spare', 8, 2)),
    call('Fresh', 32, 5),
  ),
  changed: ['Slow', 'Tuned'],
  shown: [
    ['= Bench.run', '= everything'],
    ['▲~ Slow.run', '= Bench.run'],
    ['▲ Step.run', '▲~ Slow.run'],
    ['▼~ Tuned.run', '= Bench.run'],
    ['▼ Spare.run', '▼~ Tuned.run'],
    ['+ Fresh.run', '= Bench.run'],
    ['− Gone.run', '= Bench.run'],
  ],
};

/** A document is parsed by way of a proxy that calls a slow method; both are new. */
const FIGURE_4: Figure = {
  before: call('Bench', 5, 1, call('Parser', 15, 1, call('Document', 40, 10, call('Scanner', 40, 100)))),
  now: call(
    'Bench',
    5,
    1,
    call(
      'Parser',
      15,
      1,
      call('Document', 40, 10, call('Scanner', 40, 100), call('Proxy', 10, 10, call('Added', 190, 10))),
    ),
  ),
  changed: ['Document'],
  shown: [
    ['= Bench.run', '= everything'],
    ['▲ Parser.run', '= Bench.run'],
    ['▲~ Document.run', '▲ Parser.run'],
    ['▼ Scanner.run', '▲~ Document.run'],
    ['+ Proxy.run', '▲~ Document.run'],
    ['+ Added.run', '+ Proxy.run'],
  ],
};

/** `elementsNotEdge` is called twice, once by way of another method; `translate…` moves from one caller to another. */
const FIGURE_7: Figure = {
  before: call(
    'Bench',
    5,
    1,
    call('Layout', 10, 2, call('Translate', 15, 15)),
    call('Adjust', 10, 5, call('Encompassing', 4, 1, call('Bounds', 5, 4))),
  ),
  now: call(
    'Bench',
    5,
    1,
    call('Layout', 10, 2),
    call(
      'Adjust',
      10,
      5,
      call('Elements', 20, 1),
      call('Encompassing', 4, 1, call('Elements', 20, 1), call('Bounds', 5, 4)),
      call('Translate', 6, 6),
    ),
  ),
  changed: ['Adjust', 'Encompassing'],
  shown: [
    ['= Bench.run', '= everything'],
    ['▼ Layout.run', '= Bench.run'],
    ['− Translate.run', '▼ Layout.run'],
    ['▲~ Adjust.run', '= Bench.run'],
    ['+ Elements.run', '▲~ Adjust.run'],
    ['▲~ Encompassing.run', '▲~ Adjust.run'],
    ['+ Elements.run', '▲~ Encompassing.run'],
    ['▼ Bounds.run', '▲~ Encompassing.run'],
    ['+ Translate.run', '▲~ Adjust.run'],
  ],
};

/** A context by its names from the root on, its share of everything, its executions, and what it calls. */
type Measured = {
  readonly way: string;
  readonly parent: string;
  readonly share: number;
  readonly executions: number;
  readonly calls: string[];
};

/** All that a context calls runs in each of its executions. */
function measured(root: Context): Map<string, Measured> {
  const total = ({ millis, times = 1, calls = [] }: Context): number =>
    millis + times * calls.reduce((sum, each) => sum + total(each), 0);
  const found = new Map<string, Measured>();
  const visit = (context: Context, parent: string, runs: number): void => {
    const { name, times = 1, calls = [] } = context;
    const way = `${parent}/${name}`;
    const share = (runs * total(context)) / total(root);
    found.set(way, { way, parent, share, executions: runs * times, calls: calls.map(each => `${way}/${each.name}`) });
    for (const each of calls) visit(each, way, runs * times);
  };
  visit(root, '', 1);
  return found;
}

/** H and the difference of the executions, as section III of the paper defines them. */
function formulas({ before, now }: Figure): Map<string, { readonly height: number; readonly executions: number }> {
  const [first, second] = [measured(before), measured(now)];
  const found = new Map<string, { readonly height: number; readonly executions: number }>();
  for (const way of new Set([...first.keys(), ...second.keys()])) {
    const [one, other] = [first.get(way), second.get(way)];
    const side = other ?? one!;
    const opposite = other === undefined ? second : first;
    const below = side.calls.reduce((sum, each) => sum + (opposite.get(each)?.share ?? 0), 0);
    const isBoth = one !== undefined && other !== undefined;
    const beside = isBoth ? one.executions : (opposite.get(side.parent)?.executions ?? 0);
    found.set(way, {
      height: isBoth ? other.share - one.share : side.share - below,
      executions: Math.abs(side.executions - beside),
    });
  }
  return found;
}

const NAMES = { 'figure 1': FIGURE_1, 'figure 4': FIGURE_4, 'figure 7': FIGURE_7 };

needs('chromium', 'the blueprint of figures', checkFigures);

function checkFigures(engine: Engine): void {
  let browser: WatchedBrowser;
  const opened: ScratchRepository[] = [];
  beforeAll(async () => {
    browser = await watchedBrowser(engine);
  });
  afterAll(async () => {
    await browser?.close();
    for (const repository of opened) repository.remove();
  });

  /** Both versions in git, tagged a and b, with an execution of each in a store. */
  async function versionsOf(figure: Figure): Promise<{ readonly root: string; readonly store: string }> {
    const repository = new ScratchRepository();
    opened.push(repository);
    const store = join(repository.home, 'store');
    const sides = [measured(figure.before), measured(figure.now)];
    const names = new Set(sides.flatMap(side => [...side.keys()].map(way => way.slice(way.lastIndexOf('/') + 1))));
    for (const [at, tag] of ['a', 'b'].entries()) {
      const files = [...names].map(name => {
        const body = at === 1 && figure.changed.includes(name) ? 'System.nanoTime();' : '';
        return [`a/${name}.java`, `package a;\n\npublic class ${name} {\n    public void run() { ${body} }\n}\n`];
      });
      repository.commit(Object.fromEntries(files));
      repository.git('tag', tag);
      repository.write('trace.dat', kiekerLog(at === 0 ? figure.before : figure.now));
      const place = ['--store', store, '--project', 'figures', '--program', 'bench', '--version', tag];
      const { status, err } = await insitu('import', join(repository.root, 'trace.dat'), ...place);
      expect([status, err]).toEqual([0, expect.any(String)]);
    }
    return { root: repository.root, store };
  }

  /** The way of a box from the root on, without `everything`. */
  function waysOf(drawn: readonly Drawn[]): Map<string, Drawn> {
    const byRow = new Map(drawn.map(box => [box.row, box]));
    const wayOf = (row: string): string => {
      const box = byRow.get(row);
      if (box === undefined || box.label.endsWith(' everything')) return '';
      return `${wayOf(box.above)}/${box.label.replace(/^\S+ (.*)\.run$/, '$1')}`;
    };
    return new Map(drawn.map(box => [wayOf(box.row), box]));
  }

  test.each(Object.entries(NAMES))(
    '%s: every box by its numbers, and all of them by the keyboard',
    async (_, figure) => {
      const { root, store } = await versionsOf(figure);
      const place = ['--store', store, '--project', 'figures', '--program', 'bench', '--metric', 'time'];
      const server = await startViewIn(root, '--compare', 'a', 'b', ...place);
      const page = await browser.open(`${server.address}&compared=boxes`);
      try {
        await page.locator('.boxes').press('Backspace');
        await page.keyboard.press('e');
        const pairs = async () => (await boxes(page)).map(({ label, parent }) => `${label} < ${parent}`).toSorted();
        const wanted = figure.shown.map(([label, caller]) => `${label} < ${caller}`);
        await expect.poll(pairs, PATIENCE).toEqual(['= everything < ', ...wanted].toSorted());
        const drawn = waysOf(await boxes(page));
        checkSizes(figure, drawn);
        await checkPlaces(page, [...drawn.values()]);
        await checkColours(page, [...drawn.values()]);
        expect(await walked(page)).toEqual(
          (await boxes(page)).map(({ label }) => label.replace(/^\S+ /, '')).toSorted(),
        );
      } finally {
        await page.context().close();
        server.end();
      }
    },
  );
}

/** Heights in proportion to |H|, widths to the logarithm of one more than the difference of the executions. */
function checkSizes(figure: Figure, drawn: ReadonlyMap<string, Drawn>): void {
  const wanted = formulas(figure);
  expect([...drawn.keys()].filter(way => way !== '').toSorted()).toEqual([...wanted.keys()].toSorted());
  const [tallest] = [...wanted].sort(([, a], [, b]) => Math.abs(b.height) - Math.abs(a.height));
  const scale = drawn.get(tallest![0])!.height / Math.abs(tallest![1].height);
  for (const [way, { height, executions }] of wanted) {
    const box = drawn.get(way)!;
    expect(box.height, way).toBeCloseTo(Math.max(2, scale * Math.abs(height)), 3);
    expect(box.width, way).toBeCloseTo(Math.max(5, 9 * Math.log1p(executions)), 3);
    const sign = box.label.charAt(0);
    if (sign === '▲' || sign === '▼') expect(Math.sign(height), way).toBe(sign === '▲' ? 1 : -1);
    expect([box.border, box.hidden], way).toEqual([1, 0]);
  }
}

/** Callers above their callees and in the middle of them, each with an edge; no box lies on another one. */
async function checkPlaces(page: Page, drawn: readonly Drawn[]): Promise<void> {
  const middle = ({ x, width }: Drawn): number => x + width / 2;
  for (const box of drawn) {
    const callees = drawn.filter(({ above }) => above === box.row).toSorted((a, b) => a.x - b.x);
    for (const callee of callees) {
      expect(callee.y, callee.label).toBeGreaterThan(box.y + box.height);
      const edge = `M${middle(box)} ${box.y + box.height + 16}V${callee.y - 10}H${middle(callee)}V${callee.y}`;
      expect(await page.locator(`.boxes path[d="${edge}"]`).count(), callee.label).toBe(1);
    }
    if (callees.length > 0)
      expect(middle(box), box.label).toBeCloseTo((middle(callees[0]!) + middle(callees.at(-1)!)) / 2, 1);
    for (const other of drawn) {
      if (other.row === box.row) continue;
      const isBeside = other.x >= box.x + box.width || box.x >= other.x + other.width;
      const isApart = other.y >= box.y + box.height || box.y >= other.y + other.height;
      expect(isBeside || isApart, `${box.label} and ${other.label}`).toBe(true);
    }
  }
}

/** The pale colour of each kind, as the legend has it: one JVM of each version is no test. */
async function checkColours(page: Page, drawn: readonly Drawn[]): Promise<void> {
  const legend = new Map<string, string>(
    await page.evaluate(`[...document.querySelectorAll('.legend li')].flatMap(entry => {
      const pale = entry.querySelectorAll('.swatch')[1];
      return pale === undefined ? [] : [[entry.textContent.trim().split(' ')[0], getComputedStyle(pale).backgroundColor]];
    })`),
  );
  expect(legend.size).toBe(7);
  expect(new Set(legend.values()).size).toBe(7);
  for (const { label, fill } of drawn) expect(fill, label).toBe(legend.get(label.split(' ')[0]!));
}

/** Names of the boxes that arrow keys reach from the root, by what the live region says. */
async function walked(page: Page): Promise<string[]> {
  const selected = async (): Promise<string> =>
    `${await page.locator('.beside tr.selected').getAttribute('aria-rowindex')}`;
  const status = async (): Promise<string> => (await page.locator('[role=status]').textContent()) ?? '';
  const names = new Map<string, string>();
  const visit = async (): Promise<void> => {
    for (;;) {
      const row = await selected();
      if (names.has(row)) return;
      names.set(row, /^(?:a\.)?([\w.]+)/.exec(await status())?.[1] ?? '');
      await page.keyboard.press('ArrowDown');
      if ((await selected()) !== row) {
        await visit();
        await page.keyboard.press('ArrowUp');
      }
      await page.keyboard.press('ArrowRight');
    }
  };
  for (let up = 0; up < 9; up++) await page.keyboard.press('ArrowUp');
  await visit();
  return [...names.values()].toSorted();
}
