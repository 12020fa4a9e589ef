// Requests that both servers are asked: how long each may keep the other waiting, and how two answers become one.
import type { Hover, InitializeParams, Location, LocationLink } from 'vscode-languageserver/node';
import { bodyOf, type Frame } from '../lsp/wire/split-messages.ts';
import { both, type JoinedRequest, LATE, type Patience } from './both.ts';
import { spanOf } from './envelope.ts';
import { HierarchyOfBoth } from './hierarchy.ts';
import { mergedHover } from './joined-hover.ts';
import { ListAnswers } from './lists.ts';
import { mergedPlaces } from './places.ts';
import { type Answer, answerFrame, freshId, requestFrame, resultOf, type ServerEnd } from './server-end.ts';
import { withoutTokens } from './splice.ts';

/** Told to ask again, a client misses nothing that comes later. */
const ASKED_AGAIN: Patience = { java: 200, own: 100 };
/** Everything has to be in one answer; our own server waits no longer for its data. */
const ASKED_ONCE: Patience = { java: 2_600, own: 2_600 };
/** A hover or a menu is looked at once. */
const LOOKED_AT: Patience = { java: 1_500, own: 150 };
/** Answers that people wait for and read. */
const WAITED_FOR: Patience = { java: 3_000, own: 1_000 };

type Params = Pick<InitializeParams, 'capabilities'>;

/** A way to answer a request; null where neither server has an answer. */
type Answering = (request: JoinedRequest) => Promise<Frame | null>;

/** Requests that make a client ask anew, and the method that it asks. */
const REFRESHES: ReadonlyMap<string, string> = new Map([
  ['workspace/inlayHint/refresh', 'textDocument/inlayHint'],
  ['workspace/codeLens/refresh', 'textDocument/codeLens'],
]);

type JoinedOptions = {
  readonly java: ServerEnd;
  readonly own: ServerEnd;
  readonly toClient: (frame: Frame) => void;
  /** Told what was wrong with an answer that could not be joined. */
  readonly onOdd: (reason: string) => void;
};

export class JoinedRequests {
  readonly #options: JoinedOptions;
  readonly #lists = new ListAnswers();
  readonly #answering: ReadonlyMap<string, Answering>;
  /** Requests that the client has no answer of yet, by their id. */
  readonly #open = new Map<string, AbortController>();
  #workspace: Params['capabilities']['workspace'];

  constructor(options: JoinedOptions) {
    this.#options = options;
    const hierarchy = new HierarchyOfBoth(options.java, options.own);
    this.#answering = new Map<string, Answering>([
      ['textDocument/inlayHint', request => this.#list('textDocument/inlayHint', request)],
      ['textDocument/codeLens', request => this.#list('textDocument/codeLens', request)],
      ['textDocument/codeAction', request => this.#list('textDocument/codeAction', request)],
      ['textDocument/hover', request => this.#hover(request)],
      ['textDocument/implementation', request => this.#places(request)],
      ['textDocument/prepareCallHierarchy', request => hierarchy.prepare(request)],
      ['callHierarchy/incomingCalls', request => hierarchy.calls(request, 'incoming')],
      ['callHierarchy/outgoingCalls', request => hierarchy.calls(request, 'outgoing')],
    ]);
  }

  clientIs({ capabilities }: Params): void {
    this.#workspace = capabilities?.workspace;
  }

  textChanged(): void {
    this.#lists.textChanged();
  }

  /** A server asks the client for something: it may be to ask anew. */
  requested(side: 'java' | 'own', method: string): void {
    const asked = REFRESHES.get(method);
    if (asked !== undefined) this.#lists.refreshed(side, asked);
  }

  /** The client wants no answer any more. @returns whether the servers are to be told. */
  cancelled(id: string): boolean {
    this.#open.get(id)?.abort();
    return !this.#lists.isLate(id);
  }

  /** Begins to answer; false where only the Java server is to be asked. Both are asked before this returns. */
  answer(method: string, frame: Frame, id: string, otherwise: () => void): boolean {
    const answering = this.#answering.get(method);
    if (answering === undefined) return false;
    const body = bodyOf(frame);
    const span = spanOf(body, 'params');
    const params = span === null ? null : withoutTokens(body.subarray(span.start, span.end));
    const { java, toClient } = this.#options;
    const open = new AbortController();
    this.#open.set(id, open);
    let asked: Promise<Answer> | null = null;
    const once = (): Promise<Answer> => (asked ??= java.forward(frame, id));
    void this.#answered(answering, { frame, id, params, java: once, signal: open.signal }).then(answer => {
      this.#open.delete(id);
      if (answer === null) otherwise();
      else toClient(answer);
    });
    return true;
  }

  /** A message of the client or of a server that cannot be read leaves the Java server's answer as it comes. */
  async #answered(answering: Answering, request: JoinedRequest): Promise<Frame | null> {
    try {
      return await answering(request);
    } catch (error) {
      this.#options.onOdd(String(error));
      return request.java();
    }
  }

  #list(method: string, { id, params, java, signal }: JoinedRequest): Promise<Frame | null> {
    const own = () => this.#options.own.ask(method, params, id);
    const isAction = method === 'textDocument/codeAction';
    const question = { id, method, words: `${method} ${isAction ? id : params}`, java, own, signal };
    if (isAction) return this.#lists.answer(question, { patience: LOOKED_AT, refresh: null });
    const refresh = this.#refreshOf(method);
    return this.#lists.answer(question, { patience: refresh === null ? ASKED_ONCE : ASKED_AGAIN, refresh });
  }

  #refreshOf(method: string): (() => void) | null {
    const isLens = method === 'textDocument/codeLens';
    const support = isLens ? this.#workspace?.codeLens : this.#workspace?.inlayHint;
    if (support?.refreshSupport !== true) return null;
    const refresh = isLens ? 'workspace/codeLens/refresh' : 'workspace/inlayHint/refresh';
    return () => this.#options.toClient(requestFrame(freshId(), refresh, null));
  }

  #hover(request: JoinedRequest): Promise<Frame | null> {
    return this.#joined<Hover>('textDocument/hover', request, LOOKED_AT, (java, own) =>
      java === null || !hasContent(java.contents) ? own : mergedHover(java, own),
    );
  }

  #places(request: JoinedRequest): Promise<Frame | null> {
    type Places = Location | (Location | LocationLink)[];
    const merge = (java: Places | null, own: Places) => mergedPlaces(java, own as Location[]);
    return this.#joined<Places>('textDocument/implementation', request, WAITED_FOR, merge);
  }

  /** The Java server's answer as it came where ours adds nothing, both in one otherwise. */
  async #joined<T>(
    method: string,
    { id, params, java: askJava }: JoinedRequest,
    patience: Patience,
    merge: (java: T | null, own: T) => T,
  ): Promise<Answer> {
    const found = await both(askJava(), this.#options.own.ask(method, params, id), {
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
  return result !== null && result !== undefined && !(Array.isArray(result) && result.length === 0);
}
