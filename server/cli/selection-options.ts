// The options with which reading commands choose what of the data they look at.

import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Settings } from '../base/config.ts';
import { present } from '../base/present.ts';
import { misused } from './failure.ts';
import type { Asked } from './load-chosen.ts';
import { type AnyOptions, collect, type OptionsOf, parseInterval, time } from './option-values.ts';
import { withStoreOptions } from './place-options.ts';

/** Values of the options of all commands that read data; options that may be given several times are lists. */
export type SelectionOptions = OptionsOf<typeof withReadingOptions<[], AnyOptions>>;

/** Adds the options of all commands that read data: of the store, and `--metric --threads --instance --from --to --focus --call-path --recording`. */
export function withReadingOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withPartOptions(
    withStoreOptions(command)
      .option('--metric <id>', 'metric (default: insitu.json, cpu-time where recorded, else cpu)')
      .option('--threads <pattern>', 'only threads like http-*, or group/name; may be given several times', collect),
  ).option('--recording <file>', 'a recording or snapshot that is read as it is, in place of the store');
}

/** The same with `--json`, of commands that print an answer; help ends with the examples. */
export function withAnswerOptions<A extends unknown[], O extends AnyOptions>(
  command: Command<A, O>,
  ...examples: readonly string[]
) {
  const title = examples.length > 1 ? 'Examples:' : 'Example:';
  const help = ['', title, ...examples.map(each => `  ${each}`)].join('\n');
  return withReadingOptions(command.option('--json', 'print JSON').addHelpText('after', help));
}

/** Adds `--instance --from --to --focus --call-path`. */
export function withPartOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return command
    .option('--instance <name>', 'only this instance; may be given several times', collect)
    .option(
      '--from <time>',
      'only what was recorded from then on (2026-11-20T16:00, UTC unless +01:00 or local stands behind it)',
      time,
    )
    .option('--to <time>', 'only what was recorded before', time)
    .option('--last <duration>', 'only the end of what was recorded: 90s, 10m, 12h', parseInterval)
    .option(
      '--focus <spec>',
      'take as 100 %: a method (com.acme.Shop.search, or as much of its end as only it has), a call path A.a;B.b (/A.a;B.b from the root), regex:…, prefix:…, query:…, or a saved task; several are taken together',
      collect,
    )
    .option(
      '--call-path <query>',
      "only stacks that satisfy a query by call paths such as 'A ..B'; they stay whole, and shares stay those of all samples",
    );
}

/** Ends a command that reads one file, and is told what to choose from a store. */
export function refuseStoreOptions({ instance, version }: Pick<SelectionOptions, 'instance' | 'version'>): void {
  const option = instance !== undefined ? '--instance' : version !== undefined ? '--version' : null;
  if (option !== null) throw misused(`${option} chooses from a store`, 'leave it out with a recording');
}

/** The part of the data at `path` that the options choose; saved tasks of the settings can be named in a focus. */
export function askedBy(options: SelectionOptions, settings: Settings, path: string | null = null): Asked {
  const { metric, instance, threads, from, to, last, focus, callPath, recording } = options;
  if (last !== undefined && from !== undefined)
    throw misused('--last and --from both say where the time begins', 'give one of them');
  if (recording !== undefined) refuseStoreOptions(options);
  return {
    path,
    ...present({ instances: instance, lastMillis: last }),
    ...(recording !== undefined && { files: [resolve(recording)] }),
    selection: {
      ...present({ metric, threads, from, to, path: callPath }),
      ...(focus && { focus, tasks: settings.tasks }),
      ...((focus || callPath !== undefined) && { aspects: settings.aspects }),
    },
  };
}
