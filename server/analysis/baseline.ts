// What data are compared with: other data, and which of their methods the shown ones have been.
import type { LoadedData } from './loaded-data.ts';
import type { Pairing } from './pairing.ts';

export type Baseline = { readonly data: LoadedData; readonly pairing: Pairing };
