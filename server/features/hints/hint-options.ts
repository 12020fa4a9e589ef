// What a user can choose about hints, taken from the settings.
import { SETTINGS, type Settings } from '../../base/config.ts';
import { type HintFormat, hintFormat } from './hint-format.ts';

export type HintOptions = {
  readonly methods: boolean;
  readonly calls: boolean;
  readonly lines: boolean;
  /** Share of the selection below which a method gets no hint. */
  readonly methodThreshold: number;
  /** Share of the method below which a call gets no hint. */
  readonly callThreshold: number;
  /** Share of the method below which a line gets no hint. */
  readonly lineThreshold: number;
  readonly minimumSamples: number;
  readonly maximumLength: number;
  /** The same for a line without room. */
  readonly narrowLength: number;
  readonly format: HintFormat;
};

/** Most characters on a line without room, unless a limit for all lines was set. */
const NARROW = 24;

export function hintOptions(settings: Settings): HintOptions {
  const maximumLength = settings['hints.maximumLength'];
  return {
    methods: settings['hints.methods.enabled'],
    calls: settings['hints.calls.enabled'],
    lines: settings['hints.lines.enabled'],
    methodThreshold: settings['hints.methods.threshold'],
    callThreshold: settings['hints.calls.threshold'],
    lineThreshold: settings['hints.lines.threshold'],
    minimumSamples: settings['hints.minimumSamples'],
    maximumLength,
    narrowLength: maximumLength === SETTINGS['hints.maximumLength'].default ? NARROW : maximumLength,
    format: hintFormat(settings['hints.format']),
  };
}
