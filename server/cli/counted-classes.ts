// Which classes' calls `insitu record --count` counts: named ones, all that a pattern means, or classes whose methods differ between two versions.

import { inlineReach } from '../analysis/ask.ts';
import type { Output } from '../base/terminal.ts';
import { wildcard } from '../base/wildcard.ts';
import { comparedTrees } from '../features/compare/door.ts';
import { classNameOf } from '../features/text/runtime-names.ts';
import { isPlatformOrUnknown } from '../mapping/platform-classes.ts';
import { sourceOf } from '../workspace/data/source.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { failed } from './failure.ts';
import { loadForCommand, loadVersions, pairedBaseline } from './load-chosen.ts';

/** The JVM changes each traced class, and each call of it makes an event. */
const MOST_CLASSES = 50;
/** So many methods and contexts that differ are looked at. */
const MOST_DIFFERING = 200;

/**
 * Binary names, at most 50. The JVM takes names alone: a pattern would give no events, and no error.
 * @param given a class, a pattern of recorded classes (`com.acme.**`), or two versions (`1.4..1.5`)
 */
export async function countedClasses(
  output: Output,
  configuration: Configuration,
  given: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const each of given) {
    const [, before, after] = /^(.+?)\.\.(?!\.)([^*]+)$/.exec(each) ?? [];
    const classes =
      before !== undefined && after !== undefined
        ? await differingClasses(output, configuration, before, after)
        : each.includes('*')
          ? await recordedClasses(output, configuration, each)
          : [each];
    for (const name of classes) found.add(name);
  }
  const own = [...found].filter(name => !isPlatformOrUnknown(name) && !/[/;]|\$\$/.test(name));
  if (own.length === 0)
    throw failed(`"${given.join(' ')}" means no class whose calls can be counted`, {
      remedy:
        'name classes of the program, such as com.acme.Shop; classes of the JDK and generated ones are not counted',
    });
  if (own.length > MOST_CLASSES)
    output.err(`${own.length - MOST_CLASSES} of ${own.length} classes are not counted: ${MOST_CLASSES} at most are\n`);
  return own.slice(0, MOST_CLASSES);
}

/** Classes of the recorded program that the pattern means, by their time, the most first. */
async function recordedClasses(output: Output, configuration: Configuration, pattern: string): Promise<string[]> {
  const { profile, values } = await loadForCommand(output, configuration, { path: null, selection: {} });
  const fits = wildcard(pattern);
  const weights = new Map<string, number>();
  for (let row = 0; row < profile.methods.length; row++) {
    const name = classNameOf(profile.methods, row);
    if (fits(name)) weights.set(name, Math.max(weights.get(name) ?? 0, values.total.weight[row]!));
  }
  return [...weights].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Classes of the methods and contexts that differ, the largest change first. */
async function differingClasses(
  output: Output,
  configuration: Configuration,
  before: string,
  after: string,
): Promise<string[]> {
  const [earlier, data] = await loadVersions(output, configuration, [before, after]);
  const baseline = await pairedBaseline(sourceOf(configuration, null), data, earlier);
  const options = { scaling: 'auto', most: MOST_DIFFERING, work: null, check: null, code: null } as const;
  const { reports, methods, contexts } = await comparedTrees(data, baseline, options, inlineReach.ask);
  const told = reports.flatMap(({ context, methods: reported }) => [
    ...(context === null ? [] : [context]),
    ...reported,
  ]);
  return [...told, ...contexts, ...methods].map(({ className }) => className);
}
