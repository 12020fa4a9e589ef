// Finds the programs that insitu starts, in absolute folders of PATH alone: a relative one may be the cloned repository.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the program with this name, null where no absolute folder of PATH has it. On Windows the name has its ending. */
export function findProgram(name: string, env: Environment): string | null {
  for (const folder of absoluteFolders(env)) {
    const path = join(folder, name);
    if (isProgram(path)) return path;
  }
  return null;
}

/** The environment for a program that is started: what it starts itself comes from absolute folders of PATH too. */
export function withAbsolutePath(env: Environment): Record<string, string | undefined> {
  const name = Object.keys(env).find(key => isPath(key));
  return name === undefined ? { ...env } : { ...env, [name]: absoluteFolders(env).join(delimiter) };
}

/** Windows writes names of variables as it likes. */
function isPath(key: string): boolean {
  return process.platform === 'win32' ? key.toUpperCase() === 'PATH' : key === 'PATH';
}

function absoluteFolders(env: Environment): string[] {
  const path = Object.entries(env).find(([key]) => isPath(key))?.[1] ?? '';
  return path.split(delimiter).filter(folder => isAbsolute(folder));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
