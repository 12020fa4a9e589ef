// The gaps in the data of an overview, each with the way to fill it.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Overview } from '../../analysis/questions/overview.ts';
import { printableName } from '../../base/printable.ts';
import { hasTimeTypes } from '../../capabilities/typed/door.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import { packageOf } from '../../mapping/platform-classes.ts';
import { TYPED_FROM } from '../../model/time-types.ts';
import { lossesOf } from '../text/data-text.ts';
import { partOf, plural, reaches, samplesText, shareInProse } from '../text/format-share.ts';
import { classNameOf } from '../text/runtime-names.ts';
import { hasTimes } from '../text/times-text.ts';

/** A gap, the remedy, and the line to copy for it; null where the remedy is no line. */
type Missing = { readonly text: string; readonly remedy: string; readonly line: string | null };

/** Shares of fewer samples are uncertain by more than three points. */
const FEW = 1_000;
/** JVMs of each version without which no test tells a change of a few points. */
const FEW_JVMS = 5;
/** The part of stacks that may be cut off without a word. */
const CUT_OFF = 0.05;

/** @param hasSource whether the class of the first row has a source; null where nobody looked for it */
export function missingIn(data: LoadedData, { rows, jvms }: Overview, hasSource: boolean | null): readonly Missing[] {
  const { analysis, metric, profile, values } = data;
  const { whole } = analysis;
  const found: Missing[] = [];
  const [first] = rows;
  if (hasSource === false && first !== undefined) {
    const name = packageOf(classNameOf(profile.methods, first.method));
    found.push({
      text: `no source of ${name === '' ? 'the hottest class' : printableName(name)}, the hottest package`,
      remedy: 'start insitu in the folder that has its sources, or name it',
      line: '--sources FOLDER',
    });
  }
  if (whole.count < FEW && hasSamplingError(metric))
    found.push({
      text: `${samplesText(whole.count)} of ${metric.id}: shares are uncertain`,
      remedy: 'record longer',
      line: null,
    });
  if (jvms < FEW_JVMS)
    found.push({
      text: `${plural(jvms, 'JVM')} only: too few for a test between versions`,
      remedy: `record ${FEW_JVMS} JVMs of each version`,
      line: null,
    });
  const { truncatedStacks } = lossesOf(data);
  if (reaches(truncatedStacks, whole.count + analysis.incomplete.count, CUT_OFF))
    found.push({
      text: `${samplesText(truncatedStacks)} with stacks that were cut off`,
      remedy: 'start the JVM with deeper stacks',
      line: '-XX:FlightRecorderOptions=stackdepth=256',
    });
  if (reaches(values.own.none.weight, whole.weight, 0.5))
    found.push({
      text: `${shareInProse(partOf(values.own.none, whole))} of ${metric.id} without own code, which is ${data.own.text}`,
      remedy: 'name your packages in insitu.json',
      line: '"code.own": "com.acme"',
    });
  if (!hasTimeTypes(profile))
    found.push({
      text: 'what part of their time threads wait was not recorded',
      remedy: TYPED_FROM,
      line: 'insitu import app.jfr --time-types',
    });
  if (!profile.metrics.some(({ id }) => id === 'alloc'))
    found.push({
      text: 'allocation was not recorded',
      remedy: 'record with the settings of insitu',
      line: 'insitu record --print-settings',
    });
  if (!hasTimes(data))
    found.push({
      text: 'response times were not recorded',
      remedy: 'time methods as docs/operations.md says',
      line: null,
    });
  return found;
}
