// The user's choices about hints, taken from the settings.
import { SETTINGS, type Settings } from '../../base/config.ts';
import { hintFormat } from './hint-format.ts';

export type HintOptions = Readonly<ReturnType<typeof hintOptions>>;

/** Most characters on a line without room, unless a limit for all lines was set. */
const NARROW = 24;

export function hintOptions(settings: Settings) {
  const maximumLength = settings['hints.maximumLength'];
  return {
    methods: settings['hints.methods.enabled'],
    calls: settings['hints.calls.enabled'],
    lines: settings['hints.lines.enabled'],
    /** Share of the selection below which a method gets no hint. */
    methodThreshold: settings['hints.methods.threshold'],
    /** Share of the method below which a call gets no hint. */
    callThreshold: settings['hints.calls.threshold'],
    /** Share of the method below which a line gets no hint. */
    lineThreshold: settings['hints.lines.threshold'],
    minimumSamples: settings['hints.minimumSamples'],
    maximumLength,
    /** Most characters of a hint on a line without room. */
    narrowLength: maximumLength === SETTINGS['hints.maximumLength'].default ? NARROW : maximumLength,
    format: hintFormat(settings['hints.format']),
  };
}
