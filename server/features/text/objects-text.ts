// Words for the classes of objects: what was allocated or thrown, and the monitors and locks that threads waited for.
import { printableName } from '../../base/printable.ts';
import type { Metric } from '../../cct/profile.ts';
import type { ObjectsOfMetric } from '../../metrics/objects.ts';
import { amountText } from '../hover/amount-text.ts';

type Row = ObjectsOfMetric['classes'][number];

const TITLES: Readonly<Record<string, string>> = {
  alloc: 'Allocated classes',
  exception: 'Thrown classes',
  lock: 'Monitors waited for, by class',
  wait: 'Objects waited on in Object.wait, by class',
  park: 'Locks and queues parked for, by class',
};

/** Threads that a row names. */
const FEW_THREADS = 3;

export function objectsTitle({ id }: Pick<Metric, 'id'>): string {
  return TITLES[id] ?? `Classes of ${printableName(id)}`;
}

/** `java.util.Hashtable · 1.2 s · last had by worker-# (80 %), importer (20 %)`. */
export function objectRowText({ className, amount, hadBefore }: Row, metric: Pick<Metric, 'unit'>): string {
  return [printableName(className), amountText(amount.weight, metric), hadBeforeText(hadBefore, amount.weight)]
    .filter(text => text !== '')
    .join(' · ');
}

/** Shares are of all waits for objects of the class; threads below 1 % are left out. */
function hadBeforeText(hadBefore: Row['hadBefore'], whole: number): string {
  const threads = hadBefore.slice(0, FEW_THREADS).flatMap(({ thread, amount }) => {
    const percent = Math.round((100 * amount.weight) / whole);
    return percent < 1 ? [] : [`${printableName(thread)} (${percent} %)`];
  });
  return threads.length === 0 ? '' : `last had by ${threads.join(', ')}`;
}
