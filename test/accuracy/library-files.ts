// Where the class files and the sources of a library stand that the engine `libraries` fetched.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../support/engines/engines.ts';

/** The jars of a library, as `readClassFiles` takes them. */
export function inputsOf({ home }: Engine, name: string): string[] {
  return globSync('*.jar', { cwd: join(home, 'jars', name) })
    .sort()
    .map(jar => join(home, 'jars', name, jar));
}

/** The folder that holds a library's package tree. */
export function sourcesOf({ sources }: Engine, name: string): string {
  return join(sources ?? '', name);
}
