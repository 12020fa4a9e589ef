// The actions for the selected part of a picture: root, focus, source, other views. Keys, menu and mouse do the same.
import type { Hits, Look, MethodInfo } from 'insitu/views';
import { BOX_FLAG } from 'insitu/views';
import { plural } from './amount-words.ts';
import { problemOf } from './ask.ts';
import { walk } from './box-walker.ts';
import { describeBox, describeCut } from './descriptions.ts';
import type { Frame } from './frame-decoder.ts';
import type { HiddenHit } from './hidden-hits.ts';
import { hidingIn, nameInQuery, pathWith } from './hidden-methods.ts';
import { fullName, nameWithParameters, shortName } from './name-trimming.ts';
import {
  ask,
  data,
  failure,
  goBack,
  highlighted,
  hitsFound,
  look,
  methodShown,
  say,
  selectedMethod,
  show,
  showLook,
  shown,
} from './page-state.ts';
import type { Step } from './page-types.ts';
import type { PictureModel } from './picture-model.ts';
import { activePicture, rootSteps } from './pictures-shown.ts';
import { LEAST_ZOOM, ROW_HEIGHT } from './projections.ts';
import { isPictureOfMethod, viewNamed } from './views.ts';

export function selectBox(model: PictureModel, box: number): void {
  const shot = model.shot.value;
  if (shot === null || box < 0) return;
  model.select(box);
  activePicture.value = model;
  selectedMethod.value = model.methodOf(box);
  const zoom = model.reveal(box);
  if (zoom !== null) show({ zoom });
  say(describeBox(shot.frame, box));
}

export function step(model: PictureModel, direction: Step): void {
  const frame = model.shot.value?.frame;
  if (frame === undefined || frame.boxes.id.length === 0) return;
  const box = model.selected.value;
  const next = box < 0 ? 0 : walk(frame, box, direction);
  if (next === box && leadsOutside(model, frame, box, direction)) model.onceTaken = () => step(model, direction);
  selectBox(model, next);
}

/** Whether a step leads to a row that was not asked for; scrolls there, which asks for it. */
function leadsOutside(model: PictureModel, { boxes }: Frame, box: number, direction: Step): boolean {
  if (model.projection.value.kind === 'ring') return false;
  const row = boxes.row[box] ?? 0;
  const isDown = direction === 'child' && ((boxes.flags[box] ?? 0) & BOX_FLAG.deeper) !== 0;
  const isUp = direction === 'parent' && boxes.parent[box] === -1 && row > 0;
  if (!isDown && !isUp) return false;
  model.top.value = Math.max(0, (row + (isDown ? 2 : -1)) * ROW_HEIGHT - (isDown ? model.size.value.height : 0));
  return true;
}

/** The id of a chain in addresses: that of its first call. */
const chainName = (id: number): string => id.toString(36);

/** Shows a folded chain call by call, or folds the one again that a call is in. */
export function toggleChain(model: PictureModel, box: number): void {
  const frame = model.shot.value?.frame;
  if (frame === undefined || box < 0) return;
  if (frame.chains === null) {
    say('Chains are not folded here: press k.');
    return;
  }
  const { unfolded } = shown.value;
  if ((frame.chains.members[box]?.length ?? 0) > 1) {
    selectBox(model, box);
    show({ unfolded: [...unfolded, chainName(frame.boxes.id[box] ?? 0)] });
    say(`The chain of ${plural(frame.chains.members[box]?.length ?? 0, 'call')} is shown call by call.`);
    return;
  }
  for (let at = box; at >= 0; at = frame.boxes.parent[at] ?? -1) {
    const name = chainName(frame.boxes.id[at] ?? 0);
    if (!unfolded.includes(name)) continue;
    show({ unfolded: unfolded.filter(other => other !== name) });
    selectBox(model, model.selected.value);
    say('The chain is folded.');
    return;
  }
  say('This is no chain.');
}

/** Folds the chains of this kind of picture, or shows all calls. */
export function toggleChains(): void {
  const isRing = viewNamed(shown.value.view).picture === 'ring';
  const name = isRing ? 'ringChains' : 'rowChains';
  show({ [name]: !shown.value[name], unfolded: [] });
  say(`Folding of chains is ${shown.value[name] ? 'on' : 'off'}.`);
}

const isSandwich = (): boolean => isPictureOfMethod(viewNamed(shown.value.view));

/** Makes a part the root of the picture; in a sandwich its method the one in the middle. */
export async function takeAsRoot(model: PictureModel, box: number): Promise<void> {
  if (box < 0) return;
  const method = model.methodOf(box);
  if (isSandwich()) {
    if (method !== null) show({ method: method.key });
    return;
  }
  try {
    const steps = await model.stepsTo(box);
    if (steps === null) return say('The way to this part is not known: scroll to the top first.');
    if (String(steps) === String(model.shot.value?.asked.root)) return;
    model.anticipate(box);
    show({ root: steps, zoom: [0, 1] });
    say(method === null ? 'Everything is shown.' : `${fullName(method)} is the root.`);
  } catch (error) {
    failure.value = problemOf(error);
  }
}

/** One step back towards everything. */
export function stepOut(): void {
  const { root, of, zoom } = shown.value;
  if (zoom[0] !== 0 || zoom[1] !== 1) show({ zoom: [0, 1] });
  else if (isSandwich()) goBack();
  else if (root.length > 0) show({ root: rootSteps.value.slice(0, -1) });
  else if (of !== null) show({ of: null });
  else say('This is everything.');
}

/** Once another operation's picture is there, an anchored root is named by its way in that picture. */
export function settleRoot(): void {
  const model = activePicture.value;
  const shot = model?.shot.value ?? null;
  if (model === null || shot === null || shown.value.root[0]?.startsWith('@') !== true) return;
  const { recursion, aggregate, library } = shown.value;
  const { operations, root } = shot.asked;
  const isAnswer =
    String(root) === String(shown.value.root) &&
    operations.recursion === recursion &&
    operations.aggregate === aggregate &&
    operations.library === library;
  if (!isAnswer) {
    model.onceTaken = settleRoot;
    return;
  }
  const { steps, missing } = shot.frame.header.root;
  show({ root: steps });
  if (missing !== null) say('The root is no part of this picture: the nearest caller is shown.');
}

/** Everything, as in the beginning; view and form stay. */
export function reset(): void {
  show({
    root: [],
    of: null,
    zoom: [0, 1],
    depth: null,
    recursion: false,
    aggregate: false,
    library: true,
    unfolded: [],
    search: '',
  });
  highlighted.value = null;
  say('Everything is shown.');
}

/** `package.Class.method(parameters)`, as the focus of editor and command line takes it. */
export function focusOn({ className, name, parameters }: MethodInfo): string {
  const plain = className === '' ? name : `${className}.${name}`;
  return parameters === null ? plain : `${plain}(${parameters})`;
}

/** Looks only at what the selected method calls, here and in the editor. */
export async function useAsFocus(): Promise<void> {
  const method = selectedMethod.value;
  if (method === null) return say('Select a part first.');
  const wanted: Look = { ...look.value, focus: [focusOn(method)] };
  // The method of the picture may lie outside of the focus.
  const { of, method: before } = shown.value;
  const isOfMethod = of !== null || (isSandwich() && before !== null);
  show({ look: wanted, root: [], zoom: [0, 1], ...(isOfMethod && { of: null, method: method.key }) });
  await useInEditor();
}

/** Leaves out all samples with the selected method on their stack, of the whole too; a chip drops that again. */
export function hideMethod(): void {
  const method = selectedMethod.value;
  if (method === null) {
    say('Select a part first.');
    return;
  }
  const { rest, hidden } = hidingIn(look.value.path);
  showLook({ path: pathWith({ rest, hidden: [...hidden, nameInQuery(method)] }) });
  say(`Samples with ${fullName(method)} are left out.`);
}

export async function copyName(): Promise<void> {
  const method = selectedMethod.value;
  if (method === null) return say('Select a part first.');
  const name = nameWithParameters(method);
  try {
    await navigator.clipboard.writeText(name);
    say(`Copied: ${name}`);
  } catch {
    say(`The browser does not let this page copy: ${name}`);
  }
}

/** Shows the selected part in the other form of the tree. */
export async function showElsewhere(model: PictureModel, view: 'ring' | 'flame'): Promise<void> {
  try {
    const root = await model.stepsTo(model.selected.value);
    if (root !== null) show({ view, root, zoom: [0, 1] });
  } catch (error) {
    failure.value = problemOf(error);
  }
}

/** The editor's hints then show what the page shows. */
export async function useInEditor(): Promise<void> {
  if (data.value?.editor !== true) return say('The focus holds on this page: no editor is connected.');
  try {
    const { used, reason } = await ask({ ask: 'use', look: look.value });
    say(used ? 'The hints in the editor show the same now.' : (reason ?? 'The editor did not take it.'));
  } catch (error) {
    failure.value = problemOf(error);
  }
}

/** In the editor; without one as text beside. */
export async function openSource(): Promise<void> {
  const method = selectedMethod.value;
  const of = method?.key ?? methodShown.value;
  if (of === null) return say('Select a part first.');
  if (data.value?.editor !== true) return show({ view: 'source', method: of });
  try {
    const { opened, reason } = await ask({ ask: 'open', look: look.peek(), of });
    say(
      opened
        ? `Opened in the editor: ${method === null ? 'the method' : shortName(method)}.`
        : (reason ?? 'Not opened.'),
    );
    if (!opened) show({ view: 'source', method: of });
  } catch (error) {
    failure.value = problemOf(error);
  }
}

/** Outlines all parts of the selected method; a second time none. */
export function toggleHighlight(): void {
  const key = selectedMethod.value?.key ?? null;
  highlighted.value = highlighted.value === key ? null : key;
  say(highlighted.value === null ? 'Nothing is highlighted.' : 'All parts of this method are outlined.');
}

/** The next hit of the search in the picture, or the one before. */
export function nextHit(by: 1 | -1): void {
  const model = activePicture.value;
  const hits = model === null || shown.value.search === '' ? null : model.hits.value;
  // Right after typing the picture is still one of another search.
  if (model !== null && hits !== null && model.shot.value?.asked.search !== shown.value.search) {
    model.onceTaken = () => nextHit(by);
    return;
  }
  if (model === null || hits === null) say('Search first: press /.');
  else if (hits.length + model.hidden.value.length === 0) findHit();
  else {
    const { toldCut } = model;
    const selected = model.selected.value;
    const length = hits.length + model.hidden.value.length;
    const at = hits.findIndex(({ box, cut }) => (toldCut >= 0 ? cut === toldCut : box >= 0 && box === selected));
    goToHit(model, at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length);
  }
}

/** Drawn hits come first, then hits in rows that the picture leaves out. */
function goToHit(model: PictureModel, at: number): void {
  const [hits, hidden] = [model.hits.value, model.hidden.value];
  const which = `Hit ${at + 1} of ${hits.length + hidden.length}`;
  const deeper = hidden[at - hits.length];
  const { box, cut } = hits[at] ?? { box: -1, cut: -1 };
  model.toldCut = cut;
  if (deeper !== undefined) goToHidden(model, deeper, which);
  else if (cut >= 0) goToCut(model, cut, which);
  else {
    selectBox(model, box);
    say(`${which}: ${describeBox(model.shot.value?.frame ?? null, box)}`);
  }
}

/** Makes the picture deeper, or scrolls it, until the hit is drawn; where so many rings have no room, a part above the hit becomes the root. */
function goToHidden(model: PictureModel, hit: HiddenHit, which: string): void {
  const boxOf = (id: number | undefined): number => model.shot.value?.frame.boxes.id.indexOf(id ?? Number.NaN) ?? -1;
  const tell = (): boolean => {
    const box = boxOf(hit.id);
    const cut = hit.isCut ? (model.shot.value?.frame.cutOf[box] ?? -1) : -1;
    if (box < 0 || (hit.isCut && cut < 0)) return false;
    if (cut >= 0) {
      model.toldCut = cut;
      goToCut(model, cut, which);
    } else {
      model.toldCut = -1;
      selectBox(model, box);
      say(`${which}, now shown: ${describeBox(model.shot.value?.frame ?? null, box)}`);
    }
    return true;
  };
  // The first picture to come may still be one of the question before.
  const later = (): void => {
    if (!tell()) model.onceTaken = tell;
  };
  const above = boxOf(hit.path.findLast(id => boxOf(id) > 0));
  if (model.showRow(hit.row)) {
    if (!tell()) model.onceTaken = later;
  } else if (above > 0) {
    model.onceTaken = () => nextHit(1);
    void takeAsRoot(model, above);
  } else say(`${which} is deeper than there is room: the list of hits leads there, press l.`);
}

/** A flame graph is zoomed until the hit is drawn; of rings the part above becomes the root. */
function goToCut(model: PictureModel, cut: number, which: string): void {
  const frame = model.shot.value?.frame;
  if (frame === undefined) return;
  const above = frame.cuts.parent[cut] ?? -1;
  const [start, end] = model.spanOf(cut, 'cuts');
  const isRing = model.projection.value.kind === 'ring';
  if (isRing ? (frame.boxes.row[above] ?? 0) === 0 : end - start < LEAST_ZOOM) {
    selectBox(model, above);
    const how = isRing ? 'Press 2, then n, to zoom there.' : 'The list of hits leads there: press l.';
    say(`${which}: ${describeCut(frame, cut)}, too narrow to be drawn here. ${how}`);
    return;
  }
  model.onceTaken = () => {
    const [from, to] = isRing ? [0, 1] : [start, end];
    const at = model.hits.value.findIndex(({ box, cut: other }) => {
      const [left, right] = box >= 0 ? model.spanOf(box) : model.spanOf(other, 'cuts');
      return left < to && right > from && (box >= 0 ? right - left <= to - from : true);
    });
    if (at < 0) findHit();
    else goToHit(model, at);
  };
  if (isRing) void takeAsRoot(model, above);
  else show({ zoom: [Math.max(0, start), Math.min(1, end)] });
}

/** No hit is drawn: goes to the heaviest one below the root of the picture, or says where there is one. */
function findHit(): void {
  const found = hitsFound.value;
  const [heaviest] = found?.rows ?? [];
  const { of, direction } = shown.value;
  const isWhole = of === null && direction === 'down';
  const inside = isWhole ? found?.rows.find(({ steps }) => isSubsequence(rootSteps.value, steps)) : undefined;
  if (inside !== undefined) showHit(inside);
  else if (heaviest === undefined) say(found === null ? 'The hits are not known yet.' : 'Nothing fits the search.');
  else
    say(`No hit is below this root. The heaviest, ${fullName(heaviest.method)}, is elsewhere: press l for the list.`);
}

/** Folding leaves steps out. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const each of whole) if (each === part[at]) at++;
  return at === part.length;
}

/** Makes a hit the root, where it is heaviest. */
export function showHit({ method, steps }: Hits['rows'][number]): void {
  selectedMethod.value = method;
  const { view } = shown.value;
  // Folding could hide it.
  show({
    ...{ view: viewNamed(view).of === 'root' ? view : 'ring', root: steps, of: null, direction: 'down' },
    ...{ library: false, recursion: false, aggregate: false, zoom: [0, 1] },
  });
  say(`${fullName(method)} is the root, where it is heaviest.`);
}
