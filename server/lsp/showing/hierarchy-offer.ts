// Offers call hierarchies to clients that show one a language only when the setting says so, and takes the offer back, while the server runs.
import { CallHierarchyPrepareRequest, type Connection, type Disposable } from 'vscode-languageserver/node';
import type { ClientFeatures } from '../client-features.ts';

/** The part of the window that it needs. */
type Told = { tell(message: string): void };

/**
 * To all other clients they are announced at the start, whatever the setting is then: `off` is an empty answer. A client that shows one
 * hierarchy a language, the latest that was offered, would lose the Java server's by ours.
 */
export class HierarchyOffer {
  readonly #connection: Connection;
  readonly #window: Told;
  #registered: Promise<Disposable> | null = null;
  #isAnnounced = false;
  #isTold = false;

  constructor(connection: Connection, window: Told) {
    this.#connection = connection;
    this.#window = window;
  }

  /** Whether they are announced with everything else when the server starts; asked once. */
  atStart(setting: string, { showsOneHierarchy, registersHierarchies }: ClientFeatures): boolean {
    this.#isAnnounced = !showsOneHierarchy || (setting === 'on' && !registersHierarchies);
    return this.#isAnnounced;
  }

  /** To be called after the handshake, and whenever settings have changed. */
  changed(setting: string, features: ClientFeatures): void {
    if (!features.showsOneHierarchy) return;
    const isWanted = setting === 'on';
    if (features.registersHierarchies) this.#register(isWanted);
    else if (isWanted !== this.#isAnnounced) this.#tellOnce(isWanted);
  }

  #register(isWanted: boolean): void {
    if (isWanted === (this.#registered !== null)) return;
    if (isWanted) {
      const options = { documentSelector: [{ language: 'java' }] };
      this.#registered = this.#connection.client.register(CallHierarchyPrepareRequest.type, options);
      // A client that refuses shows none.
      this.#registered.catch(() => {});
      return;
    }
    void this.#registered?.then(registered => registered.dispose()).catch(() => {});
    this.#registered = null;
  }

  #tellOnce(isWanted: boolean): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const what = isWanted ? 'shown' : 'gone';
    this.#window.tell(
      `insitu: this editor asks for call hierarchies only as the server starts; they are ${what} when it is started anew`,
    );
  }
}
