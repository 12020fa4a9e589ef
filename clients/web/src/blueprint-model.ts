// Which boxes of the blueprint are shown, and the actions that change that.
import { computed, effect, signal } from '@preact/signals';
import type { AskBlueprint, AskNamed, Blueprint, BlueprintBox } from 'insitu/views';
import { isAborted, problemOf } from './ask.ts';
import { type BlueprintLayout, layOutBlueprint, type OpenBoxes } from './blueprint-layout.ts';
import { changes, describeBlueprintBox } from './blueprint-words.ts';
import { learnMethods } from './known-methods.ts';
import { ask, data, failure, hasBaseline, lastNews, look, revision, say, selectedMethod, shown } from './page-state.ts';
import type { Step } from './page-types.ts';

type Answer = Exclude<Blueprint, { readonly outdated: true }>;

type Shown = OpenBoxes & {
  readonly answer: Answer;
  /** How many children of a box were asked for, from the first one on. */
  readonly asked: ReadonlyMap<number, number>;
};

const MOST_CHILDREN = 50;

/** null until the first answer. */
export const blueprint = signal<Shown | null>(null);
/** Boxes of runs of unchanged ones that are shown all the same. */
export const unfoldedRuns = signal<ReadonlySet<number>>(new Set());
/** Row of the selected box. */
export const selectedRow = signal(0);
let running: AbortController | null = null;

export function boxAt(row: number): BlueprintBox | null {
  return blueprint.value?.boxes.get(row) ?? null;
}

export function shownBelow(row: number): readonly number[] {
  return blueprint.value?.open.get(row) ?? [];
}

/** The choices that the first picture depends on; null while the blueprint is not looked at. */
const wanted = computed(() => {
  const { view, method, scaling } = shown.value;
  if (view !== 'blueprint' || !hasBaseline.value || revision.value === '') return null;
  return JSON.stringify({
    look: look.value,
    method,
    scaling,
    baseline: data.value?.baseline,
    revision: revision.value,
  });
});

/** Begins with the first finding, or with the way to a method, whenever there are other trees. */
export function followBlueprint(): void {
  effect(() => {
    if (wanted.value !== null) void begin();
  });
}

let begun = '';

async function begin(): Promise<void> {
  const { method, scaling } = shown.peek();
  const answer = await asked({ show: method === null ? 'finding' : 'method', box: 0, of: method, tree: null, from: 0 });
  if (answer === null || 'outdated' in answer) return;
  const spot = JSON.stringify([answer.tree, scaling, method]);
  // Newer data of other versions leave these trees as they are.
  if (spot === begun && blueprint.peek() !== null) return;
  if (answer.boxes.length === 0) {
    say('This method is in no context of either version.');
    const finding = await asked({ show: 'finding', box: 0, of: null, tree: null, from: 0 });
    if (finding === null || 'outdated' in finding) return;
    start(finding, spot);
  } else start(answer, spot);
}

const MOST_METHODS = 10_000;

/** Sources are compared while the boxes are already drawn. */
async function learnChanges(tree: string): Promise<void> {
  changes.value = new Map();
  const { program, version, instances } = look.peek();
  const parameters = { program, version, instances, limit: MOST_METHODS };
  const wish: AskNamed<'codeChanges'> = { ask: 'answer', answer: 'codeChanges', parameters };
  const found = await ask(wish).catch(() => null);
  if (found === null || blueprint.peek()?.answer.tree !== tree) return;
  changes.value = new Map(found.rows.map(({ method, change }) => [method.id, change !== 'same']));
}

function start(answer: Answer, spot: string): void {
  begun = spot;
  const isOther = blueprint.peek()?.answer.tree !== answer.tree;
  const nothing: Shown = { answer, boxes: new Map(), open: new Map(), asked: new Map() };
  blueprint.value = added(nothing, answer);
  unfoldedRuns.value = new Set();
  if (isOther) void learnChanges(answer.tree);
  // The way to a method ends with it; below a finding the hot path goes on.
  const end = answer.finding === null ? answer.boxes.at(-1)?.row : answer.finding.row;
  selectRow(end ?? 0);
}

/** null where nothing was answered; the page says why. */
async function asked(wish: Pick<AskBlueprint, 'show' | 'box' | 'of' | 'tree' | 'from'>): Promise<Blueprint | null> {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  try {
    const { scaling } = shown.peek();
    const answer = await ask({ ask: 'blueprint', look: look.peek(), scaling, ...wish }, mine.signal);
    if (mine.signal.aborted) return null;
    failure.value = null;
    lastNews.value = Date.now();
    if ('boxes' in answer) learnMethods(answer.boxes.map(({ method }) => method));
    return answer;
  } catch (error) {
    if (!isAborted(error) && !mine.signal.aborted) failure.value = problemOf(error);
    return null;
  }
}

/** With the boxes of an answer, siblings in the order of the server. */
function added(before: Shown, { boxes: found }: Answer): Shown {
  const boxes = new Map(before.boxes);
  const open = new Map(before.open);
  for (const box of found) {
    boxes.set(box.row, box);
    const siblings = open.get(box.parent) ?? [];
    if (box.parent >= 0 && !siblings.includes(box.row)) open.set(box.parent, [...siblings, box.row]);
  }
  const heightOf = (row: number): number => Math.abs(boxes.get(row)?.height ?? 0);
  for (const parent of new Set(found.map(box => box.parent)))
    if (parent >= 0)
      open.set(
        parent,
        [...(open.get(parent) ?? [])].sort((a, b) => heightOf(b) - heightOf(a) || a - b),
      );
  return { ...before, boxes, open };
}

async function more(row: number, show: AskBlueprint['show'], from = 0): Promise<boolean> {
  const now = blueprint.peek();
  if (now === null) return false;
  const answer = await asked({ show, box: row, of: null, tree: now.answer.tree, from });
  if (answer === null) return false;
  if ('outdated' in answer) {
    begun = '';
    void begin();
    return false;
  }
  blueprint.value = added(blueprint.peek() ?? now, answer);
  return true;
}

export async function showChildren(row: number): Promise<void> {
  const from = blueprint.peek()?.asked.get(row) ?? 0;
  if (!(await more(row, 'children', from))) return;
  const now = blueprint.peek();
  if (now !== null) blueprint.value = { ...now, asked: new Map(now.asked).set(row, from + MOST_CHILDREN) };
  tell(row);
}

export async function showAllBelow(row: number): Promise<void> {
  if (await more(row, 'below')) tell(row);
}

export async function hotPathFrom(row: number): Promise<void> {
  if (await more(row, 'path')) tell(row);
}

export function hideAllBelow(row: number): void {
  const now = blueprint.peek();
  if (now === null) return;
  const open = new Map(now.open);
  const numbers = new Map(now.asked);
  const rows = [row];
  for (let at = rows.pop(); at !== undefined; at = rows.pop()) {
    rows.push(...(open.get(at) ?? []));
    open.delete(at);
    numbers.delete(at);
  }
  blueprint.value = { ...now, open, asked: numbers };
  tell(row);
}

/** Shows all boxes of a folded run. */
export function unfoldRun(rows: readonly number[]): void {
  unfoldedRuns.value = new Set([...unfoldedRuns.value, ...rows]);
}

/** The layout of a comparison, with the runs that are folded. */
export function layoutOf(tree: Shown, widthOfText: (text: string) => number): BlueprintLayout {
  return layOutBlueprint(tree, widthOfText, { unfolded: unfoldedRuns.value, selected: selectedRow.value });
}

export function selectRow(row: number): void {
  const box = boxAt(row);
  if (box === null) return;
  selectedRow.value = row;
  selectedMethod.value = box.method;
  tell(row);
}

function tell(row: number): void {
  const box = boxAt(row);
  if (box !== null) say(describeBlueprintBox(box, shownBelow(row).length));
}

/** A box of another picture of the comparison: the way to it is shown where it is hidden. */
export async function revealRow(row: number): Promise<void> {
  if (!isShown(row) && !(await more(row, 'way'))) return;
  selectRow(row);
}

/** Whether all boxes above it are open. */
function isShown(row: number): boolean {
  for (let at = boxAt(row); at !== null; at = boxAt(at.parent)) {
    if (at.parent < 0) return true;
    if (!shownBelow(at.parent).includes(at.row)) return false;
  }
  return false;
}

/** The next one of the shown boxes; the same box where there is none. */
export function walkBoxes(row: number, way: Step): number {
  const box = boxAt(row);
  if (box === null) return 0;
  if (way === 'parent') return box.parent < 0 ? row : box.parent;
  if (way === 'child') return shownBelow(row)[0] ?? row;
  const siblings = box.parent < 0 ? [row] : shownBelow(box.parent);
  const at = siblings.indexOf(row);
  const next = { previous: at - 1, next: at + 1, first: 0, last: siblings.length - 1 }[way];
  return siblings[next] ?? row;
}
