// Asks through the editor that shows the page in a webview of its own: messages to the extension, which asks its language server.
//
// page → editor: { kind: 'ask', id, question }, { kind: 'cancel', id }, { kind: 'save', id, name, base64 }, a file, and
// { kind: 'run', command }, where nothing was recorded yet.
// editor → page: { kind: 'answer', id } with `json`, or with `bytes` (a picture or tracks: ArrayBuffer, typed array, or base64), or with
// `error: { message, remedy }`; { kind: 'saved', id, text } with a sentence; and { kind: 'show', address }, which shows another state of
// the page, as the fragment of an address.
import type { Question, ViewProblem } from 'insitu/views';
import { type AnswerTo, type Ask, isAnsweredByBytes, Refusal } from './ask.ts';
import type { EditorApi, SaveFile } from './page-types.ts';

declare global {
  /** Only a webview of VS Code has it, and it may be called once. */
  var acquireVsCodeApi: (() => EditorApi) | undefined;
}

type Answer = {
  readonly kind: 'answer';
  readonly id: number;
  readonly json?: unknown;
  readonly bytes?: ArrayBuffer | ArrayBufferView | string;
  readonly error?: ViewProblem;
};
type Saved = { readonly kind: 'saved'; readonly id: number; readonly text: string };
type Show = { readonly kind: 'show'; readonly address: string };

/** `onShow` gets the fragments of addresses that the editor wants to be shown. */
export function askOverMessages(editor: EditorApi, onShow: (address: string) => void): Ask {
  let last = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  addEventListener('message', ({ data }: MessageEvent<Answer | Show | null>) => {
    if (data?.kind === 'show') onShow(data.address);
    if (data?.kind !== 'answer') return;
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  return <Asked extends Question>(question: Asked, signal?: AbortSignal): Promise<AnswerTo<Asked>> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, answer => {
        if (answer.error !== undefined) reject(new Refusal(answer.error));
        else resolve((isAnsweredByBytes(question) ? bytesOf(answer.bytes) : answer.json) as AnswerTo<Asked>);
      });
      signal?.addEventListener('abort', () => {
        if (waiting.delete(id)) editor.postMessage({ kind: 'cancel', id });
        reject(new DOMException('outdated', 'AbortError'));
      });
      editor.postMessage({ kind: 'ask', id, question });
    });
}

/** The editor asks the user where to put the file. */
export function saveOverMessages(editor: EditorApi): SaveFile {
  let last = 0;
  return async (name, content) => {
    const id = ++last;
    const base64 = await base64Of(content);
    return new Promise(resolve => {
      const listen = ({ data }: MessageEvent<Saved | null>): void => {
        if (data?.kind !== 'saved' || data.id !== id) return;
        removeEventListener('message', listen);
        resolve(data.text);
      };
      addEventListener('message', listen);
      editor.postMessage({ kind: 'save', id, name, base64 });
    });
  };
}

async function base64Of(content: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** A buffer that begins with the frame, as columns need it. */
function bytesOf(bytes: Answer['bytes']): ArrayBuffer {
  if (bytes instanceof ArrayBuffer) return bytes;
  const view =
    typeof bytes === 'string'
      ? Uint8Array.from(atob(bytes), character => character.charCodeAt(0))
      : new Uint8Array(bytes?.buffer ?? new ArrayBuffer(0), bytes?.byteOffset ?? 0, bytes?.byteLength ?? 0);
  return view.slice().buffer;
}
