// What a user can choose about hints, taken from the settings.
import type { Settings } from '../base/config.ts';

export type HintOptions = {
  readonly methods: boolean;
  readonly calls: boolean;
  /** Share of the selection below which a method gets no hint. */
  readonly methodThreshold: number;
  /** Share of the method below which a call gets no hint. */
  readonly callThreshold: number;
  readonly minimumSamples: number;
  readonly maximumLength: number;
};

export function hintOptions(settings: Settings): HintOptions {
  return {
    methods: settings['hints.methods.enabled'],
    calls: settings['hints.calls.enabled'],
    methodThreshold: settings['hints.methods.threshold'],
    callThreshold: settings['hints.calls.threshold'],
    minimumSamples: settings['hints.minimumSamples'],
    maximumLength: settings['hints.maximumLength'],
  };
}
