// Turns what clients send into folders and settings.
import type { InitializeParams } from 'vscode-languageserver/node';
import type { PartialSettings } from '../../base/config.ts';
import type { Outcome } from '../../base/problem.ts';
import { pathOfUri } from '../../mapping/file-uris.ts';
import { readSettings } from '../../workspace/settings/read-settings.ts';

/** Folders that the client has open: the list, else the older root, else none. */
export function foldersOf(params: InitializeParams): readonly string[] {
  const folders = params.workspaceFolders ?? (params.rootUri ? [{ uri: params.rootUri, name: '' }] : []);
  return folders.flatMap(({ uri }) => pathOfUri(uri) ?? []);
}

/** Keys of initializationOptions that say what the client can do with messages; no settings. */
const CLIENT_WISHES: ReadonlySet<string> = new Set(['notifications', 'graphics']);

/** Settings from initializationOptions, workspace/configuration or didChangeConfiguration; with or without `insitu` around them. */
export function editorSettings(sent: unknown): Outcome<PartialSettings> {
  if (typeof sent !== 'object' || sent === null) return { value: {}, problems: [] };
  const inner = 'insitu' in sent ? sent.insitu : sent;
  if (typeof inner !== 'object' || inner === null) return { value: {}, problems: [] };
  const settings = Object.entries(inner).filter(([key]) => !CLIENT_WISHES.has(key));
  return readSettings(textOf(Object.fromEntries(settings)), 'editor settings', 'user');
}

/** As JSON. What is nested too deep to be written gives as many brackets as are refused. */
function textOf(settings: object): string {
  try {
    return JSON.stringify(settings);
  } catch {
    return '['.repeat(1_000);
  }
}
