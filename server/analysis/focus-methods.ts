// Which methods a focus means: as `chooseTasks` reads it, with parameters, or by the end of a name that one method alone has.
import { noPause, type Pause } from '../base/pause.ts';
import { printableName, suggested } from '../base/printable.ts';
import type { Outcome } from '../base/problem.ts';
import { descriptorOf } from '../cct/method-names.ts';
import type { MethodTable } from '../cct/profile.ts';
import { parametersOf } from '../mapping/parameters.ts';
import type { ChosenTasks } from '../metrics/focus.ts';
import { chooseTasks } from '../metrics/focus-spec.ts';
import { expressionTime } from '../metrics/match-expression.ts';
import type { Task } from '../metrics/task.ts';
import { methodsNamed } from './named-methods.ts';
import { queryOfFocus } from './paths/path-selection.ts';

/** Of methods that share the end of their name, so many are named. */
const MOST_NAMES = 8;

/** The methods of one text of a focus; null with problems when it means none, or when several share the end of a name. */
export function chooseMethods(
  methods: MethodTable,
  spec: string,
  saved: readonly Task[],
  time = expressionTime(),
  pause: Pause = noPause,
): Outcome<ChosenTasks | null> {
  const asWritten = chooseAsWritten(methods, spec, saved, time, pause);
  if (asWritten.value !== null) return asWritten;
  const whole = withWholeNames(methods, spec);
  if (whole.value === null) return whole.problems.length > 0 ? { ...whole, value: null } : asWritten;
  return chooseAsWritten(methods, whole.value, saved, time, pause);
}

/** A text of a focus with whole names, `com.acme.Shop.search` for `Shop.search`; as it is where it means something so, or nothing. */
export function wholeFocus(methods: MethodTable, spec: string, saved: readonly Task[]): string {
  if (queryOfFocus(spec, saved) !== null) return spec;
  const isWhole = chooseAsWritten(methods, spec, saved, expressionTime(), noPause).value !== null;
  return isWhole ? spec : (withWholeNames(methods, spec).value ?? spec);
}

function chooseAsWritten(
  methods: MethodTable,
  spec: string,
  saved: readonly Task[],
  ...limits: [ReturnType<typeof expressionTime>, Pause]
): Outcome<ChosenTasks | null> {
  return chooseOverload(methods, spec) ?? chooseTasks(methods, spec, saved, ...limits);
}

/** The methods of a name with these parameters, as lists print them: `A.run(int, String)`; null where the text says none, or others. */
function chooseOverload(methods: MethodTable, spec: string): Outcome<ChosenTasks> | null {
  const [, name, parameters] = /^([^;:/(]+)(\([^()]*\))$/.exec(spec) ?? [];
  const { value } = name === undefined ? { value: null } : chooseTasks(methods, name, []);
  if (value === null) return null;
  const { matches } = value;
  const plain = (text: string) => text.replaceAll(/\s/g, '');
  const written = (row: number) => parametersOf(descriptorOf(methods, row));
  const taskOfMethod = matches.taskOfMethod.map((task, row) =>
    task >= 0 && plain(written(row)) === plain(parameters!) ? task : -1,
  );
  return taskOfMethod.every(task => task < 0)
    ? null
    : { value: { matches: { ...matches, taskOfMethod } }, problems: [] };
}

/** Null where a name fits no method, and with a problem where it fits several. Of a path each step is a name. */
function withWholeNames(methods: MethodTable, spec: string): Outcome<string | null> {
  if (/^(?:regex|prefix):/.test(spec)) return { value: null, problems: [] };
  const whole: string[] = [];
  for (const step of spec.split(/([;/])/)) {
    const found = /^[;/]?$/.test(step) ? [{ name: step }] : methodsNamed(methods, step);
    if (found.length > 1) return { value: null, problems: [severalFit(step, found)] };
    if (found[0] === undefined) return { value: null, problems: [] };
    whole.push(`${found[0].name}${/\(.*$/s.exec(step)?.[0] ?? ''}`);
  }
  return { value: whole.join(''), problems: [] };
}

function severalFit(text: string, found: readonly { readonly name: string }[]) {
  const names = found.slice(0, MOST_NAMES).map(({ name }) => suggested(name));
  const more = found.length > MOST_NAMES ? `, or another of ${found.length}` : '';
  const message = `several methods fit "${printableName(text)}"`;
  return { severity: 'error', message, remedy: `write ${names.join(' or ')}${more}` } as const;
}
