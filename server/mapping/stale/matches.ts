// The result of matching the declarations of two versions of a text.

export type Pair = readonly [profiled: number, current: number];

/** Rows that belong together, −1 where there is none. */
export type Matches = {
  readonly currentOf: Int32Array;
  readonly profiledOf: Int32Array;
  /** By current row: its code is what was profiled, by its fingerprint or as part of an equal declaration. */
  readonly equal: Uint8Array;
  /** By current row: found by name and types of parameters, whatever its code was. */
  readonly bySignature: Uint8Array;
  /** Whether a type is known to have another name, which then counts everywhere. */
  readonly renamesTypes: boolean;
};
