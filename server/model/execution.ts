// An execution, one instance of one version of a program, by its names: its type, and the schemas of answers and parameters.

import * as v from 'valibot';
import { LOOK } from './look-schema.ts';

/** The fields of an execution beside others. */
export const EXECUTION = {
  project: v.string(),
  program: v.string(),
  version: v.string(),
  instance: v.string(),
};

/** Which run of which program a profile belongs to. Programs are never mixed. */
export type Execution = Readonly<v.InferOutput<v.ObjectSchema<typeof EXECUTION, undefined>>>;

const { project: _project, ...withoutProject } = EXECUTION;

/** The fields of an execution within one project. */
export const EXECUTION_OF_PROJECT = withoutProject;

/** The names under which a recording is stored; absent names are found otherwise. */
export const EXECUTION_NAMES = {
  program: v.nullish(v.string()),
  version: v.nullish(v.string()),
  instance: v.nullish(v.string()),
};

/** Which executions are meant; absent fields restrict nothing. */
export const EXECUTION_FILTER = {
  program: v.nullish(v.pipe(v.string(), v.description('Only of this program'))),
  version: v.nullish(v.pipe(v.string(), v.description('Only of this version'))),
  instances: LOOK.instances,
};
