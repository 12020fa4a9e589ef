// The settings of the client's user: as they come at the start, are pushed later, or are asked for.
import type { Connection } from 'vscode-languageserver/node';
import type { Problem } from '../base/problem.ts';
import type { Workspace } from '../workspace/state.ts';
import { editorSettings } from './wire/from-lsp.ts';

type ClientSettingsOptions = {
  readonly workspace: Workspace;
  /** Whether the client can be asked. */
  readonly canAsk: () => boolean;
  readonly tell: (problems: readonly Problem[]) => void;
  /** Called when they have come anew. */
  readonly changed: () => void;
};

export class ClientSettings {
  readonly #connection: Connection;
  readonly #options: ClientSettingsOptions;

  constructor(connection: Connection, options: ClientSettingsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Takes what the client has sent, whatever that is. */
  take(sent: unknown): void {
    const { value, problems } = editorSettings(sent);
    this.#options.tell(problems);
    this.#options.workspace.apply({ kind: 'editorSettingsChanged', settings: value });
  }

  async pull(): Promise<void> {
    if (!this.#options.canAsk()) return;
    // A client that announces it but cannot answer leaves what initializationOptions said.
    const sent: unknown = await this.#connection.workspace.getConfiguration('insitu').catch(() => null);
    if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > 0) this.#change(sent);
  }

  pushed(settings: unknown): void {
    if (typeof settings === 'object' && settings !== null && 'insitu' in settings) this.#change(settings);
    else void this.pull();
  }

  #change(sent: unknown): void {
    this.take(sent);
    this.#options.changed();
  }
}
