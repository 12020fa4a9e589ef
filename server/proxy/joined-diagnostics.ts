// Diagnostics of both servers: clients replace a document's by the latest that come, so each message carries those of both.

import { bodyOf, type Frame, frameOf } from '../lsp/wire/split-messages.ts';
import { documentKey } from '../mapping/file-uris.ts';
import { spanOf, textIn } from './envelope.ts';
import { itemsOf, withItems } from './splice.ts';

const LIST = ['params', 'diagnostics'] as const;

/** The latest of each server for one document, as they came. */
type Published = { java: Frame | null; own: Frame | null };

export class DiagnosticsOfBoth {
  readonly #published = new Map<string, Published>();

  /** The message to the client in place of a message of one of the servers; the message itself where the other has nothing to say. */
  published(side: 'java' | 'own', frame: Frame): Frame {
    const uri = textIn(bodyOf(frame), spanOf(bodyOf(frame), 'params', 'uri'));
    if (uri === null) return frame;
    const key = documentKey(uri);
    const known = this.#published.get(key) ?? { java: null, own: null };
    known[side] = hasItems(frame) ? frame : null;
    if (known.java === null && known.own === null) this.#published.delete(key);
    else this.#published.set(key, known);
    return side === 'java' ? withOwn(frame, known) : withJava(frame, known);
  }

  /** The Java server is gone: messages after which only ours are shown. */
  javaEnded(): Frame[] {
    return [...this.#published.values()].flatMap(known => {
      const { java, own } = known;
      if (java === null) return [];
      known.java = null;
      return [own ?? message(java, [])];
    });
  }
}

function hasItems(frame: Frame): boolean {
  return (itemsOf(frame, ...LIST)?.length ?? 0) > 0;
}

/** Ours go with a message of the Java server, whose version of the text holds. */
function withOwn(frame: Frame, { own }: Published): Frame {
  const more = own === null ? null : itemsOf(own, ...LIST);
  return more === null || more.length === 0 ? frame : withItems(frame, more, ...LIST);
}

/** Its latest ones go with ours, without the version that they were of: the text may be another by now. */
function withJava(frame: Frame, { java }: Published): Frame {
  if (java === null) return frame;
  return message(
    java,
    [java, frame].flatMap(each => itemsOf(each, ...LIST) ?? []),
  );
}

function message(named: Frame, lists: readonly Buffer[]): Frame {
  const body = bodyOf(named);
  const { start, end } = spanOf(body, 'params', 'uri')!;
  const items = lists
    .filter(({ length }) => length > 0)
    .flatMap((list, i) => (i === 0 ? [list] : [Buffer.from(','), list]));
  const head = '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":';
  return frameOf(
    Buffer.from(head),
    body.subarray(start, end),
    Buffer.from(',"diagnostics":['),
    ...items,
    Buffer.from(']}}'),
  );
}
