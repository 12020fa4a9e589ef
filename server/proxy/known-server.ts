// Remembers in the user's cache what a Java server said it can do, so that the next start need not wait for it to say so again.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { InitializeParams, InitializeResult } from 'vscode-languageserver/node';
import { keepFile } from '../base/kept-files.ts';
import { readRegular } from '../base/regular-file.ts';

/** The answer of a Java server to an earlier client with the same abilities. */
export type KnownServer = {
  /** Null where nothing is known, or what is kept is not what we wrote. */
  read(params: InitializeParams): InitializeResult | null;
  write(params: InitializeParams, result: InitializeResult): void;
};

/** Nothing is remembered. */
export const UNKNOWN: KnownServer = { read: () => null, write: () => {} };

/** So many are kept, the latest written ones; each command and each editor has its own. */
const MOST_FILES = 32;
/** Java servers say a few kilobytes. */
const MOST_BYTES = 1 << 20;
const ENDING = '.server';

type KnownServerOptions = {
  /** Made, for its user alone, when there is something to keep. */
  readonly folder: string;
  readonly command: readonly string[];
  /** That of insitu: another one may keep something else. */
  readonly version: string;
};

/** The file is called by the command, our version and what the client can do, as a hash: no word of a command line is kept. */
export function knownServer({ folder, command, version }: KnownServerOptions): KnownServer {
  const nameOf = ({ capabilities }: InitializeParams): string => {
    const said = JSON.stringify([version, command, capabilities ?? null]);
    return `${createHash('sha256').update(said).digest('hex').slice(0, 32)}${ENDING}`;
  };
  return {
    read: params => {
      try {
        const file = readRegular(join(folder, nameOf(params)), MOST_BYTES);
        return checkedResult(JSON.parse(file.toString('utf8')));
      } catch {
        return null;
      }
    },
    write: (params, { capabilities, serverInfo }) => {
      const text = JSON.stringify({ capabilities, serverInfo });
      try {
        keepFile(join(folder, nameOf(params)), { ending: ENDING, most: MOST_FILES }, text);
      } catch {
        // A cache that cannot be written makes the next start slower, and nothing else.
      }
    },
  };
}

/** An answer to `initialize` as far as we look into it; null for anything else. */
function checkedResult(value: unknown): InitializeResult | null {
  if (!isObject(value) || !isObject(value.capabilities)) return null;
  const { capabilities, serverInfo } = value;
  const { textDocumentSync: sync, executeCommandProvider: commands, codeActionProvider: actions } = capabilities;
  const isKnown =
    (sync === undefined || typeof sync === 'number' || isObject(sync)) &&
    (commands === undefined || (isObject(commands) && isTexts(commands.commands))) &&
    (actions === undefined || typeof actions === 'boolean' || (isObject(actions) && isTexts(actions.codeActionKinds)));
  if (!isKnown) return null;
  if (!isObject(serverInfo) || typeof serverInfo.name !== 'string') return { capabilities };
  return { capabilities, serverInfo: { ...serverInfo, name: serverInfo.name } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(each => typeof each === 'string'));
}
