// Which classes really ran behind an interface, an abstract method or a call, hottest first; what was not seen is not named.

import type { Declaration } from '../../../grammar/outline.ts';
import { gatherBy, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { descriptorOf } from '../../cct/method-names.ts';
import { plainClassName, simpleClassName } from '../../mapping/class-names.ts';
import { isType } from '../../mapping/outline-index.ts';
import { parameterCount } from '../../mapping/parameters.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { SEARCH_MILLIS, searchCalls } from '../../workspace/files/call-search.ts';
import { seenWith } from '../../workspace/files/seen-with.ts';
import { labelOf, type Subject, subjectAt, subjectBehind } from '../facts/subject.ts';
import { targetsOf } from '../hover/hover-parts.ts';
import { type Called, hoverTarget } from '../hover/hover-target.ts';
import { classNameOf } from '../text/runtime-names.ts';
import { labelOfDeclaration } from './call-hierarchy-items.ts';
import { locateDeclaration, type PlaceInFile, placeOf } from './locate.ts';
import { targetOf } from './written-calls.ts';
import { enclosingType, WrittenTypes } from './written-types.ts';

/** A method that ran, with the samples that it is sorted by. */
type Ran = { readonly method: number; readonly amount: Amount };

/** A method by its label or a class by its name, with its place. */
type Implementation = { readonly label: string; readonly place: PlaceInFile; readonly amount: Amount };

/** The methods that ran behind a method, type or call at an offset, heaviest first; empty where they are not known. */
export async function implementationsAt(
  document: DocumentView,
  offset: number,
  reach: Reach,
): Promise<Implementation[]> {
  const { mapped, files } = document;
  const target = hoverTarget(document, offset);
  if (mapped === null || target === null) return [];
  const { data } = mapped;
  if (target.kind === 'call' && target.calls.length > 0)
    return placed(document, data, await ranAtCall(data, target, reach), reach);
  if (files === null) return [];
  const types = new WrittenTypes(files);
  const own = files.openFile(document.uri);
  if (own === null) return [];
  let [file, declaration] = [own, target.declaration];
  if (target.kind === 'call') {
    const source = targetOf(types, own, target.site)?.source ?? null;
    if (source === null) return [];
    ({ file, declaration } = source);
  }
  const type = enclosingType(file, declaration.row);
  if (type === null) return [];
  if (isType(declaration)) return classPlaces(document, data, { types, name: type.name }, reach);
  if (declaration.kind !== 'method') return [];
  const ran = await overriding(document, data, { types, className: type.name, declaration }, reach);
  return placed(document, data, ran, reach);
}

/** Rows of methods that ran in place of one without code, heaviest first; empty where that is not known. */
export async function overridesOf(
  document: DocumentView,
  declaration: Declaration,
  reach: Reach,
): Promise<readonly number[]> {
  const { mapped, files } = document;
  const own = files?.openFile(document.uri) ?? null;
  if (mapped === null || files === null || own === null || declaration.kind !== 'method') return [];
  const type = enclosingType(own, declaration.row);
  if (type === null) return [];
  const types = new WrittenTypes(files);
  const ran = await overriding(document, mapped.data, { types, className: type.name, declaration }, reach);
  return ran.toSorted(byWeight).map(({ method }) => method);
}

/** The subject at a position, as `subjectAt` gives it; for a method without code the methods that ran behind it, all together. */
export async function subjectOf(
  document: DocumentView,
  data: LoadedData,
  offset: number,
  reach: Reach,
): Promise<Subject | null> {
  const found = subjectAt(document, data, offset);
  const target = found === null ? hoverTarget(document, offset) : null;
  if (target?.kind !== 'declaration' || target.entry !== null) return found;
  const rows = await overridesOf(document, target.declaration, reach);
  return rows.length === 0 ? null : subjectBehind(rows, labelOfDeclaration(document, target.declaration));
}

/** Each method that ran behind a call, by its part of that call. */
async function ranAtCall(data: LoadedData, { entry, calls }: Called, { ask }: Reach): Promise<readonly Ran[]> {
  if (entry === null) return [];
  await gatherBy(ask, { data, around: { sets: [entry.methods], facts: ['callees'] } });
  return targetsOf(data, entry, calls);
}

type Declared = { readonly types: WrittenTypes; readonly className: string; readonly declaration: Declaration };

/** Methods that ran and are, or override, a declared one; lambdas and others behind its calls too, as far as those are found in time. */
async function overriding(
  asking: DocumentView,
  data: LoadedData,
  { types, className, declaration }: Declared,
  { turn }: Reach,
): Promise<Ran[]> {
  const { files } = asking;
  if (files === null) return [];
  const { methods } = data.profile;
  const { total } = data.values;
  const end = performance.now() + SEARCH_MILLIS;
  const rows = rowsNamed(data, declaration.name)
    .filter(row => total.count[row]! > 0 && takes(data, row, declaration.parameters.length))
    .sort((a, b) => total.weight[b]! - total.weight[a]!);
  const found = new Set<number>();
  for (const row of rows) {
    if (performance.now() > end) break;
    if (files.knows(classNameOf(methods, row)) && isBelow(types, classNameOf(methods, row), className)) found.add(row);
    await turn();
  }
  const { calls } = await searchCalls(files, declaration.name, null, turn);
  const endOfCalls = performance.now() + SEARCH_MILLIS;
  for (const { file, site } of calls) {
    await turn();
    if (performance.now() > endOfCalls) break;
    const source = targetOf(types, file, site)?.source ?? null;
    if (source === null || source.declaration.row !== declaration.row) continue;
    if (enclosingType(source.file, declaration.row)?.name !== className) continue;
    const target = hoverTarget(seenWith(file, asking), site.nameSpan.start);
    if (target?.kind === 'call') for (const call of target.calls) for (const row of call.targets) found.add(row);
  }
  return [...found].map(method => ({ method, amount: { weight: total.weight[method]!, count: total.count[method]! } }));
}

/** Classes that ran and are the type or lie below it. */
async function classPlaces(
  document: DocumentView,
  data: LoadedData,
  { types, name: typeName }: { readonly types: WrittenTypes; readonly name: string },
  reach: Reach,
): Promise<Implementation[]> {
  const { files } = document;
  const end = performance.now() + SEARCH_MILLIS;
  const { total } = data.values;
  const ran = Array.from(total.count.keys()).filter(row => total.count[row]! > 0);
  const rowsOfClass = Map.groupBy(ran, row => plainClassName(classNameOf(data.profile.methods, row)));
  const heat = (rows: readonly number[]) => rows.reduce((most, row) => Math.max(most, total.weight[row]!), 0);
  const classes = [...rowsOfClass].filter(([name]) => name !== typeName && files?.knows(name) === true);
  classes.sort(([, a], [, b]) => heat(b) - heat(a));
  const found: { label: string; place: PlaceInFile; methods: readonly number[] }[] = [];
  for (const [name, rows] of classes) {
    if (performance.now() > end) break;
    await reach.turn();
    if (!isBelow(types, name, typeName)) continue;
    const located = locateDeclaration(document, rows[0]!);
    const outline = located?.document.outline;
    const declaration = outline?.declarations.find(({ binaryName }) => binaryName === name);
    if (located === null || declaration === undefined) continue;
    const place = placeOf({ ...located, declaration, certain: true });
    found.push({ label: simpleClassName(name), place, methods: rows });
  }
  const numbers = await reach.ask(data, 'numbers', { sets: found.map(({ methods }) => ({ methods })) });
  return found.map(({ label, place }, i) => ({ label, place, amount: numbers[i]!.total })).sort(byWeight);
}

function byWeight(one: Pick<Ran, 'amount'>, other: Pick<Ran, 'amount'>): number {
  return other.amount.weight - one.amount.weight;
}

async function placed(
  document: DocumentView,
  data: LoadedData,
  ran: readonly Ran[],
  { turn }: Reach,
): Promise<Implementation[]> {
  const places = new Map<string, Implementation>();
  for (const { method, amount } of ran.toSorted(byWeight)) {
    const located = locateDeclaration(document, method);
    if (located !== null) {
      const place = placeOf(located);
      const key = `${place.uri}#${located.declaration.row}`;
      if (!places.has(key)) places.set(key, { label: labelOf(data, method), place, amount });
    }
    await turn();
  }
  return [...places.values()];
}

function isBelow(types: WrittenTypes, className: string, typeName: string): boolean {
  for (const { name } of types.withSupertypes(types.binary(plainClassName(className))))
    if (name === typeName) return true;
  return false;
}

function rowsNamed({ profile: { methods } }: LoadedData, name: string): number[] {
  const string = methods.strings.indexOf(name);
  return Array.from(methods.name.keys()).filter(row => methods.name[row] === string);
}

function takes(data: LoadedData, row: number, parameters: number): boolean {
  const count = parameterCount(descriptorOf(data.profile.methods, row));
  return count === null || count === parameters;
}
