// An execution: one instance of one version of a program, by its names.

/** Which run of which program a profile belongs to. Programs are never mixed. */
export type Execution = {
  readonly project: string;
  readonly program: string;
  readonly version: string;
  readonly instance: string;
};
