// Begins to load what the client's first message asks for while this thread still loads the rest of the server.
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { InitializeParams } from 'vscode-languageserver/node';
import type { PartialSettings } from '../base/config.ts';
import type { Loader } from '../workspace/data/loader.ts';
import { type Source, sourceOf } from '../workspace/data/source.ts';
import { projectFolder } from '../workspace/data/store-watch.ts';
import { configurationFor } from '../workspace/settings/configuration.ts';
import { clientFeatures } from './client-features.ts';
import { editorSettings, foldersOf } from './wire/from-lsp.ts';

/** Editors send their first message at once; nobody else is waited for. */
const LONGEST_WAIT_MILLIS = 5;
/** A folder of this machine answers in far less, and most of those on a network do. */
const STORE_MILLIS = 50;

/** Looks at what has come in, which stays to be read, and loads for the first folder. Does nothing where it is not plain what is wanted. */
export async function beginFirstLoad(input: Readable, loader: Loader, overrides: PartialSettings = {}): Promise<void> {
  const params = initializeParams(await peeked(input));
  if (params === null) return;
  try {
    const [folder] = foldersOf(params);
    if (folder === undefined) return;
    const { value: editor } = editorSettings(params.initializationOptions);
    const source = sourceOf(configurationFor(folder, overrides, editor), null);
    loader.begin(source, clientFeatures(params).listsHints && (await answers(source)));
  } catch {
    // The session reads the message again, and says what is wrong with it.
  }
}

/** Whether this thread may look at folders of the store: one on a network that hangs holds up whoever does. */
async function answers(source: Source): Promise<boolean> {
  const folder = projectFolder(source);
  if (folder === null) return true;
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, STORE_MILLIS, false);
  const known = () => true;
  const answered = await Promise.race([stat(folder).then(known, known), late]);
  clearTimeout(timer);
  return answered;
}

/** What can be read now, as text; it can be read again afterwards. */
async function peeked(input: Readable): Promise<string> {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), LONGEST_WAIT_MILLIS);
  await once(input, 'readable', { signal: enough.signal }).catch(() => {});
  clearTimeout(timer);
  const chunk: unknown = input.read();
  if (!Buffer.isBuffer(chunk)) return '';
  input.unshift(chunk);
  return chunk.toString('utf8');
}

/** Of the message that the text begins with; null where that is not whole or another one. */
function initializeParams(text: string): InitializeParams | null {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/^Content-Length: *(\d+)/im.exec(text.slice(0, Math.max(0, end)))?.[1]);
  if (end < 0 || !(length > 0)) return null;
  try {
    const body = Buffer.from(text.slice(end + 4)).subarray(0, length);
    const message = JSON.parse(body.toString()) as { readonly method?: unknown; readonly params?: InitializeParams };
    return message.method === 'initialize' ? (message.params ?? null) : null;
  } catch {
    return null;
  }
}
