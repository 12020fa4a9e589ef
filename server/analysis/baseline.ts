// The baseline of a comparison: other data, and their pairing with the shown methods.
import type { LoadedData } from './loaded-data.ts';
import type { Pairing } from './pairing.ts';

export type Baseline = { readonly data: LoadedData; readonly pairing: Pairing };
