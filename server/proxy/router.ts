// Decides the way of every message between the client, the Java server behind us and our own: as it is, to both, or joined.
import type { InitializeParams } from 'vscode-languageserver/node';
import { INVALID_REQUEST, Lifecycle } from '../lsp/wire/lifecycle.ts';
import { bodyOf, type Frame, messageFrame } from '../lsp/wire/split-messages.ts';
import { type Envelope, envelopeOf, spanOf, textIn } from './envelope.ts';
import { JoinedRequests } from './joined.ts';
import { DiagnosticsOfBoth } from './joined-diagnostics.ts';
import { type KnownServer, UNKNOWN } from './known-server.ts';
import { answerFrame, errorFrame, isFreshId, MOST_WAITING, resultOf, ServerEnd } from './server-end.ts';
import { replaced, withId } from './splice.ts';
import { Start } from './start.ts';

type RouterOptions = {
  readonly toClient: (frame: Frame) => void;
  readonly toJava: (bytes: Buffer) => void;
  readonly toOwn: (bytes: Buffer) => void;
  /** Told once the client has said that it leaves. */
  readonly onExit: () => void;
  /** A server is of no use any more, and may be ended. */
  readonly onGivenUp?: (side: 'java' | 'own') => void;
  /** The known facts about the Java server from earlier starts; nothing when absent. */
  readonly known?: KnownServer;
};

/** The kind of our code actions. */
const CODE_ACTION_KIND = 'insitu';

/** Requests of our server to the client, and its answers, bear this and then the id as JSON. */
const FROM_OWN = 'insitu:';

/** Notifications of the client that our server knows; others are between it and the Java server. */
const FOR_BOTH =
  /^(?:initialized|exit|textDocument\/did(?:Open|Change|Save|Close)|workspace\/did\w+|\$\/setTrace|window\/workDoneProgress\/cancel)$/;

/** Answers that are nothing where no server is left to ask. The protocol lets each of these be null. */
const MAY_BE_NULL = /^(?:textDocument\/(?!diagnostic$)|callHierarchy\/|typeHierarchy\/|workspace\/symbol$|shutdown$)/;

const REQUEST_FAILED = -32_803;

export class Router {
  readonly #options: RouterOptions;
  readonly #java: ServerEnd;
  readonly #own: ServerEnd;
  readonly #joined: JoinedRequests;
  readonly #diagnostics = new DiagnosticsOfBoth();
  /** The messages of our server before the client has been told that it is there. */
  #held: Frame[] | null = [];
  readonly #start: Start;
  readonly #lifecycle = new Lifecycle();
  #javaEnd = '';
  /** Questions for the status that our server has not answered; what it shows meanwhile is one. */
  #statusesAsked = 0;
  #isLeaving = false;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#java = new ServerEnd({
      write: options.toJava,
      onOverflow: () => this.javaEnded(`the Java server has not answered, and ${MOST_WAITING >> 20} MiB wait for it`),
    });
    this.#own = new ServerEnd({ write: options.toOwn });
    this.#joined = new JoinedRequests({
      ...{ java: this.#java, own: this.#own, toClient: options.toClient },
      onOdd: reason => this.#tell(2, `an answer of both servers is the Java server's alone: ${reason}`),
    });
    this.#start = new Start({
      ...{ java: this.#java, own: this.#own, known: options.known ?? UNKNOWN, toClient: options.toClient },
      tell: (type, line, isNow) => this.#tell(type, line, isNow),
      javaEnded: reason => this.javaEnded(reason),
      ownEnded: reason => this.ownEnded(reason),
    });
  }

  /** Whether the client has asked to shut down. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  fromClient(frame: Frame): void {
    const envelope = envelopeOf(frame);
    const { method, id } = envelope;
    const refusal = method === null ? null : this.#lifecycle.refusal(method, id !== null);
    if (refusal !== null) {
      if (id !== null) this.#options.toClient(errorFrame(id, refusal.code, refusal.message));
      return;
    }
    if (method !== null) this.#lifecycle.passed(method, id !== null);
    try {
      if (method === null) this.#answerOfClient(frame, envelope);
      else if (id === null) this.#notificationOfClient(method, frame);
      else this.#requestOfClient(method, id, frame);
    } catch (error) {
      this.#tell(2, `a message of the editor passes as it is: ${error}`);
      if (method === null || id === null) this.#java.send(frame);
      else this.#passRequest(method, id, frame);
    }
  }

  fromJava(frame: Frame): void {
    if (!this.#java.isAlive) return;
    const { method, id } = envelopeOf(frame);
    if (method === null && id !== null && this.#java.answered(frame, id)) return;
    if (method !== null && id !== null) this.#joined.requested('java', method);
    const isDiagnostics = method === 'textDocument/publishDiagnostics';
    this.#options.toClient(isDiagnostics ? this.#diagnostics.published('java', frame) : frame);
  }

  fromOwn(frame: Frame): void {
    if (!this.#own.isAlive) return;
    const envelope = envelopeOf(frame);
    const { method, id } = envelope;
    if (method === null) {
      if (id !== null) this.#own.answered(frame, id);
      return;
    }
    if (id !== null) {
      this.#joined.requested('own', method);
      this.#ofOwn(withId(frame, envelope, JSON.stringify(FROM_OWN + id)));
    } else if (method === 'textDocument/publishDiagnostics') this.#ofOwn(this.#diagnostics.published('own', frame));
    else if (method === 'window/showMessage' && this.#statusesAsked > 0) this.#ofOwn(this.#withJavaEnd(frame));
    else this.#ofOwn(frame);
  }

  /** The Java server has ended: `reason` says how. What was asked of it fails, and everything of ours goes on. */
  javaEnded(reason: string): void {
    if (!this.#java.isAlive) return;
    this.#javaEnd = reason;
    const unanswered = this.#java.end();
    for (const id of unanswered) this.#options.toClient(errorFrame(id, REQUEST_FAILED, reason));
    for (const frame of this.#diagnostics.javaEnded()) this.#options.toClient(frame);
    if (this.#isLeaving) return;
    this.#options.onGivenUp?.('java');
    this.#tell(1, `${reason}; insitu goes on alone, start the language server again for the rest`);
    const params = { type: 1, message: `insitu: ${reason}` };
    this.#ofOwn(messageFrame({ method: 'window/showMessage', params }));
  }

  /** Our own server has ended: the Java server goes on as if it were alone. */
  ownEnded(reason: string): void {
    if (!this.#own.isAlive) return;
    this.#own.end();
    if (this.#isLeaving) return;
    this.#options.onGivenUp?.('own');
    this.#tell(1, `${reason}; the Java server goes on alone`);
  }

  /** A line for the client's log; `type` as the protocol counts. */
  #tell(type: number, line: string, isNow = false): void {
    const frame = messageFrame({ method: 'window/logMessage', params: { type, message: `insitu: ${line}` } });
    if (isNow) this.#options.toClient(frame);
    else this.#ofOwn(frame);
  }

  #ofOwn(frame: Frame): void {
    if (this.#held === null) this.#options.toClient(frame);
    else this.#held.push(frame);
  }

  #answerOfClient(frame: Frame, envelope: Envelope): void {
    const { id } = envelope;
    if (id !== null && isFreshId(id)) return;
    if (id?.startsWith(`"${FROM_OWN}`)) {
      const own = (JSON.parse(id) as string).slice(FROM_OWN.length);
      this.#own.send(withId(frame, envelope, own));
    } else if (id === null && !this.#java.isAlive)
      this.#options.toClient(errorFrame('null', INVALID_REQUEST, 'what was sent is no message that insitu can answer'));
    else this.#java.sendAtOnce(frame);
  }

  #notificationOfClient(method: string, frame: Frame): void {
    if (method === '$/cancelRequest') {
      const { params } = JSON.parse(bodyOf(frame).toString()) as { readonly params?: { readonly id?: unknown } };
      const id = JSON.stringify(params?.id ?? null);
      if (!this.#joined.cancelled(id)) return;
      this.#own.cancel(id);
      this.#java.cancel(id);
    }
    if (method === 'textDocument/didChange') this.#joined.textChanged();
    if (method === 'exit') this.#java.sendAtOnce(frame);
    else if (!method.startsWith('insitu/')) this.#java.send(frame);
    if (FOR_BOTH.test(method) || method.startsWith('insitu/')) this.#own.send(frame);
    if (method === 'initialized') this.#start.clientIsReady();
    if (method === 'exit') this.#options.onExit();
  }

  #requestOfClient(method: string, id: string, frame: Frame): void {
    if (method === 'initialize') {
      void this.#initialize(id, frame);
      return;
    }
    if (method === 'shutdown') {
      this.#isLeaving = true;
      void this.#own.ask('shutdown', null, null);
      if (this.#java.isHeld) {
        // The Java server has not begun, and there is nothing to end.
        this.#options.toClient(answerFrame(id, null));
        return;
      }
    }
    if (method.startsWith('insitu/') || isOwnCommand(method, frame)) void this.#askOwn(method, id, frame);
    else if (isResolvedAlready(method, frame)) this.#options.toClient(answerFrame(id, paramsOf(frame)));
    else if (this.#joined.answer(method, frame, id, () => this.#nobodyAnswers(method, id))) return;
    else this.#passRequest(method, id, frame);
  }

  #passRequest(method: string, id: string, frame: Frame): void {
    if (this.#java.isAlive) this.#java.pass(frame, id);
    else this.#nobodyAnswers(method, id);
  }

  async #askOwn(method: string, id: string, frame: Frame): Promise<void> {
    const isStatus = this.#javaEnd !== '' && asksForStatus(method, frame);
    if (isStatus) this.#statusesAsked++;
    const answer = await this.#own.ask(method, rawParamsOf(frame), id);
    if (isStatus) this.#statusesAsked--;
    const status = isStatus ? resultOf<{ text?: unknown }>(answer) : null;
    if (typeof status?.text === 'string')
      this.#options.toClient(answerFrame(id, { ...status, text: `${status.text}\n${this.#javaEnd}` }));
    else if (answer !== null) this.#options.toClient(withId(answer, envelopeOf(answer), id));
    else this.#options.toClient(errorFrame(id, REQUEST_FAILED, 'the insitu server has ended'));
  }

  /** A message to people, with a line on why the Java server is gone. */
  #withJavaEnd(frame: Frame): Frame {
    const body = bodyOf(frame);
    const span = spanOf(body, 'params', 'message');
    const said = textIn(body, span);
    return span === null || said === null ? frame : replaced(frame, span, JSON.stringify(`${said}\n${this.#javaEnd}`));
  }

  #nobodyAnswers(method: string, id: string): void {
    const nothing = MAY_BE_NULL.test(method);
    this.#options.toClient(nothing ? answerFrame(id, null) : errorFrame(id, REQUEST_FAILED, this.#javaEnd));
  }

  async #initialize(id: string, frame: Frame): Promise<void> {
    this.#options.toClient(await this.#answerToInitialize(id, frame));
    const held = this.#held ?? [];
    this.#held = null;
    for (const each of held) this.#options.toClient(each);
  }

  async #answerToInitialize(id: string, frame: Frame): Promise<Frame> {
    try {
      const params = paramsOf(frame) as InitializeParams;
      this.#joined.clientIs(params);
      const result = await this.#start.answer(params);
      if (result !== null) return answerFrame(id, result);
      return errorFrame(id, REQUEST_FAILED, this.#javaEnd || 'no server answers');
    } catch (error) {
      return errorFrame(id, REQUEST_FAILED, `insitu cannot begin: ${error}`);
    }
  }
}

function paramsOf(frame: Frame): unknown {
  return (JSON.parse(bodyOf(frame).toString()) as { readonly params?: unknown }).params;
}

function rawParamsOf(frame: Frame): Buffer | null {
  const body = bodyOf(frame);
  const span = spanOf(body, 'params');
  return span === null ? null : body.subarray(span.start, span.end);
}

function commandOf(method: string, frame: Frame): string {
  if (method !== 'workspace/executeCommand') return '';
  const body = bodyOf(frame);
  return textIn(body, spanOf(body, 'params', 'command')) ?? '';
}

function isOwnCommand(method: string, frame: Frame): boolean {
  return commandOf(method, frame).startsWith('insitu.');
}

function asksForStatus(method: string, frame: Frame): boolean {
  return method === 'insitu/status' || commandOf(method, frame) === 'insitu.status';
}

/** Items of ours are whole from the start; some clients resolve them all the same where the Java server's have to be. */
function isResolvedAlready(method: string, frame: Frame): boolean {
  const body = bodyOf(frame);
  switch (method) {
    case 'codeLens/resolve':
      return textIn(body, spanOf(body, 'params', 'command', 'command'))?.startsWith('insitu.') === true;
    case 'codeAction/resolve':
      return textIn(body, spanOf(body, 'params', 'kind')) === CODE_ACTION_KIND;
    case 'inlayHint/resolve':
      return spanOf(body, 'params', 'data', 'heat') !== null && spanOf(body, 'params', 'data', 'kind') !== null;
    default:
      return false;
  }
}
