// Why a method has the number it has, or none: exactly one answer, with its numbers and what to do.

import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import type { Beyond } from '../../analysis/questions/beyond.ts';
import type { Settings } from '../../base/config.ts';
import { present } from '../../base/present.ts';
import { printableName } from '../../base/printable.ts';
import { hasSamplingError, PARTIAL_METHOD } from '../../cct/profile.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { wilsonInterval } from '../../metrics/interval.ts';
import { describeLook } from '../../model/look.ts';
import type { AnswerContext, Reader } from '../answers/answer.ts';
import { bridgeText, foldedText } from '../facts/folded-samples.ts';
import { amountOfWhole } from '../hover/amount-text.ts';
import {
  groupDigits,
  partOf,
  reaches,
  samplesText,
  selfText,
  shareInProse,
  shareWithCounts,
} from '../text/format-share.ts';
import { listedMethod, listedText } from '../text/listed-method.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';
import { heaviestWays } from './heaviest-ways.ts';
import type { WhySubject } from './why-subject.ts';

type Finding =
  | 'hot'
  | 'few samples'
  | 'below threshold'
  | 'only in partial stacks'
  | 'loaded but never sampled'
  | 'filtered out'
  | 'new'
  | 'no such method'
  | 'class never seen';

/** The explanation of a method's number. */
type Told = {
  readonly verdict: Finding;
  /** One sentence with the numbers. */
  readonly explanation: string;
  /** The remedy; empty when there is nothing to do. */
  readonly remedy: string;
  /** Names that may have been meant, or what ran in its place. */
  readonly nearest?: readonly string[];
};

type Remedies = {
  readonly withoutFocus: string;
  readonly withoutFilter: string;
  readonly metric: (id: string) => string;
  readonly executions: string;
  readonly top: string;
};

const REMEDIES: Readonly<Record<Reader, Remedies>> = {
  'command line': {
    withoutFocus: 'Leave out --focus.',
    withoutFilter: 'Leave out --threads, --from and --to.',
    metric: id => `Look at ${printableName(id)}: --metric ${printableName(id)}.`,
    executions: 'insitu executions',
    top: 'insitu top --platform',
  },
  editor: {
    withoutFocus: 'The command insitu.clearFocus shows everything again.',
    withoutFilter: 'The commands insitu.selectThreads and insitu.selectWindows choose others.',
    metric: id => `Look at ${printableName(id)}: the command insitu.selectMetric chooses it.`,
    executions: 'the command insitu.selectExecution',
    top: 'The list of hot methods',
  },
};

/** More names than these are not listed. */
const MOST_NAMES = 5;

/** The explanation of the subject, with its runtime methods, their amounts as far as they were seen, and the ways in and on of a hot one. */
export async function whyOf(
  data: LoadedData,
  subject: WhySubject,
  { settings, reader, reach }: Pick<AnswerContext, 'settings' | 'reader' | 'reach'>,
) {
  const { entry } = subject;
  const rows = entry?.methods ?? [];
  const seen = entry === null ? null : await seenOf(data, entry, reach);
  const told =
    seen === null
      ? await answerUnseen(data, subject, reader, reach)
      : answerSeen(data, { settings, remedies: REMEDIES[reader] }, seen);
  const bridges = bridgeText(data, rows);
  return {
    verdict: told.verdict,
    methods: rows.map(row => listedText(listedMethod(data.profile.methods, row))),
    total: seen?.total ?? null,
    self: seen?.self ?? null,
    ways: told.verdict === 'hot' ? await heaviestWays(data, rows, reach) : null,
    nearest: told.nearest ?? [],
    explanation: bridges === '' ? told.explanation : `${told.explanation} ${bridges}.`,
    remedy: told.remedy,
  };
}

type Seen = Pick<MethodFacts, 'total' | 'self'> & Beyond;

async function seenOf(data: LoadedData, { methods, onlyLines }: MappedDeclaration, reach: Reach): Promise<Seen> {
  const set = { methods, ...(onlyLines && { onlyLines }) };
  const [facts] = await reach.ask(data, 'numbers', { sets: [set] });
  return { ...facts!, ...(await reach.ask(data, 'beyond', set)) };
}

/** Methods that stand in the table, and so were on some stack of some metric. */
function answerSeen(
  data: LoadedData,
  { settings, remedies }: { readonly settings: Settings; readonly remedies: Remedies },
  seen: Seen,
): Told {
  const { analysis, metric } = data;
  const { total, self } = seen;
  const of = partOf(total, analysis.whole);
  const amounts = amountOfWhole(total.weight, analysis.whole.weight, metric);
  const numbers = `${shareWithCounts(of, analysis.whole.count, amounts)} samples of ${printableName(metric.id)}`;
  const [least, threshold] = [settings['hints.minimumSamples'], settings['hints.methods.threshold']];
  if (total.count === 0 && total.weight === 0) return answerUncounted(data, seen, remedies);
  if (total.count < least)
    return {
      verdict: 'few samples',
      explanation: `${numbers}, fewer than the ${groupDigits(least)} from which on hints are shown.`,
      remedy: 'Record for longer or import further recordings; "hints.minimumSamples" sets the limit.',
    };
  if (!reaches(total.weight, analysis.whole.weight, threshold))
    return {
      verdict: 'below threshold',
      explanation: `${numbers}, less than the ${Number((threshold * 100).toPrecision(6))} % from which on hints are shown.`,
      remedy: 'A focus on what it runs in makes its share larger; "hints.methods.threshold" sets the limit.',
    };
  return { verdict: 'hot', explanation: `${numbers}, ${selfText(self, total, analysis.whole)}.`, remedy: '' };
}

/** Nothing of it counts under this selection and metric. */
function answerUncounted(
  data: LoadedData,
  { incomplete, everything, unfocused, otherMetrics }: Beyond,
  remedies: Remedies,
): Told {
  const { analysis, metric, wish, selection } = data;
  const { threads, windows, focus, path } = analysis.selection;
  if (everything.count > 0 && [focus, threads, windows, path].some(part => part !== undefined)) {
    const byFocus = unfocused.count > 0;
    return {
      verdict: 'filtered out',
      explanation: `${samplesText(everything.count)} of ${printableName(metric.id)} in all, none of them in what is looked at: ${describeLook(byFocus ? { focus: selection.focus ?? [] } : { ...selection, ...present({ instances: wish.instances }) })}.`,
      remedy: byFocus ? remedies.withoutFocus : remedies.withoutFilter,
    };
  }
  if (incomplete > 0)
    return {
      verdict: 'only in partial stacks',
      explanation: `${samplesText(incomplete)} of ${printableName(metric.id)}, all in stacks that the recorder cut off and whose place is not certain; those are in no share.`,
      remedy: 'Record deeper stacks: -XX:FlightRecorderOptions=stackdepth=256.',
    };
  const elsewhere = otherMetrics.map(({ id, count }) => `${groupDigits(count)} of ${printableName(id)}`).join(', ');
  return {
    verdict: 'loaded but never sampled',
    explanation:
      `It is in no sample of ${printableName(metric.id)}${elsewhere === '' ? '' : `, only in ${elsewhere}`}. ${missedText(data)}`.trimEnd(),
    remedy: otherMetrics.length > 0 ? remedies.metric(otherMetrics[0]!.id) : recordLonger(data),
  };
}

/** Why nothing was seen of a method is not known; frames without a class may be its own. */
function recordLonger({ values, analysis, profile: { methods } }: LoadedData): string {
  const { weight, count } = values.self;
  const classless = { weight: 0, count: 0 };
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++)
    if (classNameOf(methods, row) === '') {
      classless.weight += weight[row]!;
      classless.count += count[row]!;
    }
  const share = shareInProse(partOf(classless, analysis.whole));
  const others =
    classless.count === 0 ? '' : ` ${share} of the samples are in frames without a class, which may be its own.`;
  return `Record for longer, and while it is used.${others}`;
}

/** How much can hide behind not having been seen at all. */
function missedText({ analysis, metric }: LoadedData): string {
  if (metric.kind !== 'sampled' || !hasSamplingError(metric) || analysis.whole.count === 0) return '';
  const most = wilsonInterval(0, analysis.whole.count).high;
  const text = most >= 0.1 ? (100 * most).toFixed(0) : (100 * most).toPrecision(2);
  return `What is never seen in ${samplesText(analysis.whole.count)} has less than ${text} %, with 95 % certainty.`;
}

/** The former names of a method that may have run under another name, where the recorded text is not known. */
function formerText(names: readonly string[]): string {
  if (names.length === 0) return '';
  const list = names.slice(0, MOST_NAMES).map(printableName).join(', ');
  return `It may have had another name then: ${list} ran and ${names.length === 1 ? 'is' : 'are'} not in the source.`;
}

/** Methods that are on no stack at all. */
async function answerUnseen(data: LoadedData, subject: WhySubject, reader: Reader, reach: Reach): Promise<Told> {
  const remedies = REMEDIES[reader];
  const { methods } = data.profile;
  const { className, source, title, siblings, formerNames } = subject;
  const seen = rowsOfClass(data.classes, className);
  if (source === 'bodiless') {
    // Abstract methods never run; the methods that override them have the same name.
    const explanation = 'It has no code of its own, so it is never on a stack; what overrides it is.';
    return { verdict: 'no such method', explanation, ...ranElsewhere(data, subject) };
  }
  if (source === 'new')
    return {
      verdict: 'new',
      explanation: 'It was not there when these data were recorded.',
      remedy: 'Record a version that has it.',
    };
  const most = MOST_NAMES;
  const wanted = `${className}.${subject.name}`;
  const near = await reach.ask(data, 'nearest', { wanted, among: 'methods', besides: siblings, most });
  // The method is in the table, and folding leaves it out everywhere.
  if (near.includes(wanted) && !siblings.includes(wanted)) {
    const own = foldedText(data, className, subject.name);
    const explanation = `The compiler made it to call another method (a bridge or an accessor): samples below it count for that method${own === '' ? '' : `, ${own}`}.`;
    return { verdict: 'no such method', explanation, ...ranElsewhere(data, subject) };
  }
  const missing = source === 'missing' || (source === 'unknown' && seen.length > 0 && near.length > 0);
  if (missing) {
    const explanation =
      source === 'missing'
        ? 'The source of its class has no such method; what a class inherits runs under the name of the class that declares it.'
        : `${printableName(className)} ran, but nothing of this name.`;
    const ofClass = [...new Set(seen.map(row => `${className}.${methodNameOf(methods, row)}`))].slice(0, most);
    return { verdict: 'no such method', explanation, ...meant(near, ofClass, remedies) };
  }
  if (seen.length > 0) {
    const ran = new Set(seen.map(row => methodNameOf(methods, row))).size;
    return {
      verdict: 'loaded but never sampled',
      explanation:
        `Its class ran (${ran} other ${ran === 1 ? 'method was' : 'methods were'} seen), ${printableName(title)} itself is on no stack of any metric. ${formerText(formerNames) || missedText(data)}`.trimEnd(),
      remedy: recordLonger(data),
      nearest: formerNames,
    };
  }
  const asClass = rowsOfClass(data.classes, wanted);
  if (asClass.length > 0) {
    const names = [...new Set(asClass.map(row => `${wanted}#${methodNameOf(methods, row)}`))].slice(0, most);
    const remedy = `Name a method: ${names.map(printableName).join(', ')}.`;
    return { verdict: 'no such method', explanation: `${printableName(wanted)} is a class.`, remedy };
  }
  const classes = new Set(Array.from(methods.className, row => methods.strings[row]!));
  const { program, executions } = data.provenance;
  const versions = [...new Set(executions.map(({ version }) => version))].map(printableName).join(', ');
  const alike =
    source === 'unknown'
      ? await reach.ask(data, 'nearest', { wanted: className, among: 'classes', besides: [], most })
      : [];
  return {
    verdict: 'class never seen',
    explanation: `No method of ${printableName(className)} is on any stack of ${printableName(program)} ${versions} (${groupDigits(classes.size)} classes are).`,
    remedy:
      alike.length > 0
        ? meant(alike, [], remedies).remedy
        : `It may not have run while recording, or belong to another program or version, which ${remedies.executions} lists. ${recordLonger(data)}`,
    nearest: alike,
  };
}

/** Methods of the same name in other classes. */
function ranElsewhere(
  { profile: { methods }, values }: LoadedData,
  { name, className }: WhySubject,
): Pick<Told, 'remedy' | 'nearest'> {
  const rows: number[] = [];
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++)
    if (methodNameOf(methods, row) === name && classNameOf(methods, row) !== className) rows.push(row);
  const { count } = values.total;
  const heaviest = rows.sort((a, b) => count[b]! - count[a]!).slice(0, MOST_NAMES);
  const ran = heaviest.map(row => `${classNameOf(methods, row)}.${name}`);
  return {
    remedy:
      ran.length > 0 ? `Of its name, these ran: ${ran.map(printableName).join(', ')}.` : 'Nothing of its name ran.',
    nearest: ran,
  };
}

function meant(
  nearest: readonly string[],
  ofClass: readonly string[],
  remedies: Remedies,
): Pick<Told, 'remedy' | 'nearest'> {
  const seen =
    ofClass.length === 0
      ? `${remedies.top} lists what ran.`
      : `Seen of its class: ${ofClass.map(printableName).join(', ')}.`;
  return { remedy: nearest.length === 0 ? seen : `Did you mean ${nearest.map(printableName).join(', ')}?`, nearest };
}
