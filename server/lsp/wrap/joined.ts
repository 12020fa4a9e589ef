// Requests that both servers are asked: how long each may keep the other waiting, and how two answers become one.
import type { Hover, InitializeParams, Location, LocationLink } from 'vscode-languageserver/node';
import { both, LATE, type Patience } from './both.ts';
import { spanOf } from './envelope.ts';
import { bodyOf, type Frame } from './frames.ts';
import { HierarchyOfBoth } from './hierarchy.ts';
import { mergedHover } from './hover.ts';
import { ListAnswers } from './lists.ts';
import { mergedPlaces } from './places.ts';
import { type Answer, answerFrame, freshId, requestFrame, resultOf, type ServerEnd } from './server-end.ts';

/** Told to ask again, a client misses nothing that comes later. */
const ASKED_AGAIN: Patience = { java: 200, own: 100 };
/** Everything has to be in one answer; our own server waits no longer for its data. */
const ASKED_ONCE: Patience = { java: 2_600, own: 2_600 };
/** What stands under the pointer, or in a menu, is looked at once. */
const LOOKED_AT: Patience = { java: 1_500, own: 150 };
/** What people wait for and read. */
const WAITED_FOR: Patience = { java: 3_000, own: 1_000 };

type Params = Pick<InitializeParams, 'capabilities'>;

/** A way to answer a request, or null for those that only the Java server is asked. */
type Answering = (frame: Frame, id: string, params: Buffer | null) => Promise<Frame | null>;

export class JoinedRequests {
  readonly #java: ServerEnd;
  readonly #own: ServerEnd;
  readonly #toClient: (frame: Frame) => void;
  readonly #lists = new ListAnswers();
  readonly #answering: ReadonlyMap<string, Answering>;
  #workspace: Params['capabilities']['workspace'];

  constructor(java: ServerEnd, own: ServerEnd, toClient: (frame: Frame) => void) {
    this.#java = java;
    this.#own = own;
    this.#toClient = toClient;
    const hierarchy = new HierarchyOfBoth(java, own);
    this.#answering = new Map<string, Answering>([
      ['textDocument/inlayHint', (...given) => this.#list('textDocument/inlayHint', ...given)],
      ['textDocument/codeLens', (...given) => this.#list('textDocument/codeLens', ...given)],
      ['textDocument/codeAction', (...given) => this.#list('textDocument/codeAction', ...given)],
      ['textDocument/hover', (...given) => this.#hover(...given)],
      ['textDocument/implementation', (...given) => this.#places(...given)],
      ['textDocument/prepareCallHierarchy', (...given) => hierarchy.prepare(...given)],
      ['callHierarchy/incomingCalls', (frame, id) => hierarchy.calls(frame, id, 'incoming')],
      ['callHierarchy/outgoingCalls', (frame, id) => hierarchy.calls(frame, id, 'outgoing')],
    ]);
  }

  clientIs({ capabilities }: Params): void {
    this.#workspace = capabilities?.workspace;
  }

  textChanged(): void {
    this.#lists.textChanged();
  }

  /** Begins to answer; false where only the Java server is to be asked. Both are asked before this returns. */
  answer(method: string, frame: Frame, id: string, otherwise: () => void): boolean {
    const answering = this.#answering.get(method);
    if (answering === undefined) return false;
    const body = bodyOf(frame);
    const span = spanOf(body, 'params');
    const params = span === null ? null : body.subarray(span.start, span.end);
    void answering(frame, id, params).then(answer => (answer === null ? otherwise() : this.#toClient(answer)));
    return true;
  }

  #list(method: string, frame: Frame, id: string, params: Buffer | null): Promise<Frame | null> {
    const asking = { java: () => this.#java.forward(frame, id), own: () => this.#own.ask(method, params, id) };
    if (method === 'textDocument/codeAction')
      return this.#lists.answer(id, `${method} ${id}`, asking, { patience: LOOKED_AT, refresh: null });
    const refresh = this.#refreshOf(method);
    const patience = refresh === null ? ASKED_ONCE : ASKED_AGAIN;
    return this.#lists.answer(id, `${method} ${params}`, asking, { patience, refresh });
  }

  #refreshOf(method: string): (() => void) | null {
    const isLens = method === 'textDocument/codeLens';
    const support = isLens ? this.#workspace?.codeLens : this.#workspace?.inlayHint;
    if (support?.refreshSupport !== true) return null;
    const refresh = isLens ? 'workspace/codeLens/refresh' : 'workspace/inlayHint/refresh';
    return () => this.#toClient(requestFrame(freshId(), refresh, null));
  }

  #hover(frame: Frame, id: string, params: Buffer | null): Promise<Frame | null> {
    return this.#joined<Hover>('textDocument/hover', { frame, id, params }, LOOKED_AT, (java, own) =>
      java === null ? own : mergedHover(java, own),
    );
  }

  #places(frame: Frame, id: string, params: Buffer | null): Promise<Frame | null> {
    type Places = Location | (Location | LocationLink)[];
    const merge = (java: Places | null, own: Places) => mergedPlaces(java, own as Location[]);
    return this.#joined<Places>('textDocument/implementation', { frame, id, params }, WAITED_FOR, merge);
  }

  /** The Java server's answer as it came where ours adds nothing, both in one otherwise. */
  async #joined<T>(
    method: string,
    { frame, id, params }: { readonly frame: Frame; readonly id: string; readonly params: Buffer | null },
    patience: Patience,
    merge: (java: T | null, own: T) => T,
  ): Promise<Answer> {
    const found = await both(this.#java.forward(frame, id), this.#own.ask(method, params, id), {
      patience,
      adds: answer => hasContent(resultOf<T>(answer)),
      gone: answer => answer === null,
    });
    const java = found.java === LATE ? null : found.java;
    const own = found.own === LATE ? null : resultOf<T>(found.own);
    if (own === null || !hasContent(own)) return java;
    return answerFrame(id, merge(resultOf<T>(java), own));
  }
}

function hasContent(result: unknown): boolean {
  return result !== null && !(Array.isArray(result) && result.length === 0);
}
