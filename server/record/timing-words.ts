// The messages of a recorder about the methods that it has a JVM time, and about the methods that it has not.
import type { Problem } from '../base/problem.ts';
import {
  type CallRate,
  classOfFilter,
  loadOf,
  MOST_TRACED,
  SUM_NANOS,
  type TimingPlan,
  TRACE_NANOS,
} from './timing-plan.ts';

/** So many methods are named in one message. */
const MOST_NAMED = 5;

/** @param file the JVM */
export function planProblems({ traced, summed, leftOut }: TimingPlan, file: string): Problem[] {
  const load = loadOf(traced, TRACE_NANOS) + loadOf(summed, SUM_NANOS);
  const ways = [
    ...(traced.length > 0 ? [`each call of ${methods(traced.length)} with its caller`] : []),
    ...(summed.length > 0 ? [`sums of ${methods(summed.length)}`] : []),
  ];
  const message = `times ${ways.join(', and ')}: about ${percent(load)} of a processor`;
  return [
    ...(ways.length > 0 ? [{ severity: 'info', message, file } as const] : []),
    ...(summed.length > 0 ? [summedProblem(summed, file)] : []),
    ...(leftOut.length > 0 ? [leftOutProblem(leftOut, file)] : []),
  ];
}

function summedProblem(summed: readonly CallRate[], file: string): Problem {
  const message = `of these, callers are not known (more than ${perSecond(MOST_TRACED)} each, or too many together): ${named(summed)}`;
  return { severity: 'info', message, file };
}

function leftOutProblem(leftOut: readonly CallRate[], file: string): Problem {
  const load = percent(loadOf(leftOut, SUM_NANOS));
  const message = `these are not timed, as even sums would take ${load} of a processor: ${named(leftOut)}`;
  return { severity: 'warning', message, file, remedy: 'time a method that calls them' };
}

/**
 * Why a filter means no method.
 * @param isLoaded whether its class is loaded
 */
export function absenceProblem(filter: string, isLoaded: boolean, file: string): Problem {
  const [severity, remedy] = ['warning', 'check the name'] as const;
  if (filter.startsWith('@')) return { severity, message: `no method has the annotation ${filter}`, file, remedy };
  const className = classOfFilter(filter);
  if (!isLoaded) {
    const later =
      'it is timed within two minutes after it is loaded; check the name, which has $ before a nested class';
    return { severity, message: `no class ${className} is loaded`, file, remedy: later };
  }
  const method = filter === className ? 'method' : `method ${filter.slice(className.length + 2)}`;
  const message = `the class ${className} has no ${method} with code of its own`;
  return { severity, message, file, remedy: 'name the class that has the code' };
}

function methods(count: number): string {
  return count === 1 ? '1 method' : `${count} methods`;
}

function percent(part: number): string {
  return `${Number((100 * part).toPrecision(2))} %`;
}

function perSecond(rate: number): string {
  return `${Number(rate.toPrecision(2)).toLocaleString('en')} calls a second`;
}

/** The rates in words, the most called methods first. */
function named(rates: readonly CallRate[]): string {
  const first = rates.toReversed().slice(0, MOST_NAMED);
  const texts = first.map(({ filter, rate }) => `${filter.replace('::', '.')} (${perSecond(rate)})`);
  const others = rates.length - first.length;
  return [...texts, ...(others > 0 ? [`${others} others`] : [])].join(', ');
}
