// The start of both servers: the client is told what they can do without waiting for a Java server that takes long to say it.
import type { InitializeParams, InitializeResult, ServerCapabilities } from 'vscode-languageserver/node';
import { bodyOf, type Frame } from '../lsp/wire/split-messages.ts';
import { LATE, within } from './both.ts';
import { canBeToldLater, differencesOf } from './differences.ts';
import { spanOf, textIn } from './envelope.ts';
import { countsAsWeDo, mergedResult, paramsForJava, paramsForOwn, syncKind, widened } from './handshake.ts';
import type { KnownServer } from './known-server.ts';
import { type Answer, freshId, requestFrame, resultOf, type ServerEnd } from './server-end.ts';

type StartOptions = {
  readonly java: ServerEnd;
  readonly own: ServerEnd;
  readonly known: KnownServer;
  readonly toClient: (frame: Frame) => void;
  /** A line for the client's log; `type` as the protocol counts, `isNow` before it has its answer. */
  readonly tell: (type: number, line: string, isNow?: boolean) => void;
  readonly javaEnded: (reason: string) => void;
  readonly ownEnded: (reason: string) => void;
};

/** Longer than this the client does not wait for what our server can do, once it knows what the other can. */
const OWN_MILLIS = 20_000;

/**
 * A Java server of which nothing is known is waited for so long, and longer where the client cannot be told later: editors give
 * up a server that does not answer, Helix after 20 s, Emacs after 30.
 */
const JAVA_MILLIS = 2_000;
const JAVA_LONGEST_MILLIS = 15_000;

export class Start {
  readonly #options: StartOptions;
  readonly #clientIsReady = Promise.withResolvers<void>();

  constructor(options: StartOptions) {
    this.#options = options;
  }

  /** The client has its answer and has said so. */
  clientIsReady(): void {
    this.#clientIsReady.resolve();
  }

  /** Asks both servers. @returns what the client is told; null when neither can do anything. */
  async answer(params: InitializeParams): Promise<InitializeResult | null> {
    const { java, own, known, tell } = this.#options;
    const forJava = paramsForJava(params);
    const ask = (end: ServerEnd, given: InitializeParams) =>
      end.ask('initialize', Buffer.from(JSON.stringify(given)), null);
    const ownAnswer = ask(own, paramsForOwn(params));
    const javaAnswer = ask(java, forJava);
    const remembered = known.read(forJava);
    const usable = remembered !== null && countsAsWeDo(remembered) ? remembered : null;
    const first = await this.#inTime(javaAnswer, ownAnswer, usable, params);
    if (first !== LATE) return this.#together(forJava, first, ownAnswer);
    // Messages of the client to the Java server wait from now on in their order.
    java.hold();
    const found = await this.#withoutJava(ownAnswer, javaAnswer, usable);
    const announced = usable === null ? found && widened(found) : this.#merged(usable, found);
    if (announced === null) {
      java.release();
      return this.#together(forJava, await javaAnswer, ownAnswer);
    }
    void javaAnswer
      .then(answer => this.#javaCame(answer, { params, announced, own: found }))
      .catch(error => {
        java.release();
        tell(2, `what the Java server can do cannot be read: ${error}`);
      });
    return announced;
  }

  /** The Java server's answer, or LATE where the client is answered without it. */
  async #inTime(
    java: Promise<Answer>,
    own: Promise<Answer>,
    remembered: InitializeResult | null,
    { capabilities }: InitializeParams,
  ): Promise<Answer | typeof LATE> {
    if (remembered !== null) return Promise.race([java, own.then((): typeof LATE => LATE)]);
    const soon = await within(java, JAVA_MILLIS);
    if (soon !== LATE || canBeToldLater(capabilities)) return soon;
    this.#options.tell(
      3,
      `waiting up to ${JAVA_LONGEST_MILLIS / 1_000} s for the Java server, for this editor cannot be told later what it can do; the next start does not wait`,
      true,
    );
    return within(java, JAVA_LONGEST_MILLIS - JAVA_MILLIS);
  }

  /** The abilities of our server, when the Java server has not told its own so far; null where it tells them before ours. */
  #withoutJava(
    own: Promise<Answer>,
    java: Promise<Answer>,
    remembered: InitializeResult | null,
  ): Promise<InitializeResult | null> {
    const found = this.#ofOwn(own);
    return remembered === null ? Promise.race([found, java.then(() => null)]) : found;
  }

  /** Ours is not waited for without end where another server is there. */
  async #ofOwn(answer: Promise<Answer>): Promise<InitializeResult | null> {
    const found = await within(answer, OWN_MILLIS);
    if (found === LATE) this.#options.ownEnded('the insitu server does not answer');
    return found === LATE || !this.#options.own.isAlive ? null : resultOf<InitializeResult>(found);
  }

  async #together(params: InitializeParams, javaAnswer: Answer, ownAnswer: Promise<Answer>) {
    const java = this.#resultOfJava(javaAnswer);
    if (java === null) return resultOf<InitializeResult>(await ownAnswer);
    this.#options.known.write(params, java);
    if (!countsAsWeDo(java)) this.#options.ownEnded('the Java server counts characters in another way');
    return this.#merged(java, await this.#ofOwn(ownAnswer));
  }

  /** Where the Java server says what it can do in a way that we do not know, it goes on alone. */
  #merged(java: InitializeResult, own: InitializeResult | null): InitializeResult {
    if (own === null) return java;
    try {
      return mergedResult(java, own);
    } catch (error) {
      this.#options.ownEnded(`what the Java server can do cannot be joined with ours: ${error}`);
      return java;
    }
  }

  #resultOfJava(answer: Answer): InitializeResult | null {
    const result = resultOf<InitializeResult>(answer);
    if (result === null && answer !== null)
      this.#options.javaEnded(`the Java server refuses to start: ${errorIn(answer)}`);
    return result;
  }

  /** The Java server has answered after the client was. */
  async #javaCame(
    answer: Answer,
    {
      params,
      announced,
      own,
    }: {
      readonly params: InitializeParams;
      readonly announced: InitializeResult;
      readonly own: InitializeResult | null;
    },
  ): Promise<void> {
    const { java, known, toClient, tell, javaEnded } = this.#options;
    const result = this.#resultOfJava(answer);
    if (result === null) return;
    known.write(paramsForJava(params), result);
    const wrong = misunderstanding(announced.capabilities, result);
    if (wrong !== null) {
      javaEnded(`the Java server ${wrong}, which was not known when the editor was answered`);
      return;
    }
    java.release();
    await this.#clientIsReady.promise;
    const real = own === null ? result : mergedResult(result, own);
    const { registrations, ...untold } = differencesOf(announced.capabilities, real.capabilities, params.capabilities);
    if (registrations.length > 0) {
      const given = Buffer.from(JSON.stringify({ registrations }));
      toClient(requestFrame(freshId(), 'client/registerCapability', given));
    }
    const lines = Object.entries(untold).map(([kind, offers]) =>
      offers.length === 0 ? '' : `${kind}: ${offers.join(', ')}`,
    );
    const said = lines.filter(line => line !== '').join('; ');
    if (said !== '')
      tell(2, `what the Java server can do is not what the editor was told; the next start knows it (${said})`);
  }
}

/** Why what the client sends would be taken for something else; null where it is not. */
function misunderstanding(announced: ServerCapabilities, java: InitializeResult): string | null {
  if (!countsAsWeDo(java)) return 'counts characters in another way';
  const isWhole = syncKind(java.capabilities ?? {}) === 1 && syncKind(announced) === 2;
  return isWhole ? 'takes changes as whole texts alone' : null;
}

function errorIn(answer: Frame): string {
  const body = bodyOf(answer);
  return textIn(body, spanOf(body, 'error', 'message')) ?? 'it gives no reason';
}
