// The names of this machine: its checkout's folder, its user's folder and the hosts it takes packages from.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';

/** Strings that must stand in no tracked file; read from the machine's own settings, so that none is written here. */
export function machineNames(root: string): string[] {
  const settings = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*']).map(readOrNothing);
  settings.push(registry(root));
  const hosts = settings.flatMap(text => [...text.matchAll(/https?:\/\/([^/\s:@]+)/g)].map(match => match[1] ?? ''));
  const folders = [root.replace(/\/$/, ''), homedir()].filter(
    folder => folder.split('/').length > 2 || folder.length > 5,
  );
  return [...new Set([...folders, ...hosts])].filter(name => name.length > 4 && name !== 'localhost');
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function registry(root: string): string {
  try {
    return execFileSync('npm', ['config', 'get', 'registry'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return process.env.npm_config_registry ?? '';
  }
}
