// The list in which a path is written: hints follow it while it is typed, and names of methods, aspects and threads complete it.
import type { EditorAnswers, Status } from 'insitu/protocol';
import * as vscode from 'vscode';
import type { Ask } from './calls.ts';
import { shownSource } from './chips.ts';
import { shownWithoutIcons } from './shown-text.ts';

/** So long after the last key what was typed is shown. */
const TYPING_PAUSE_MILLIS = 150;
const MOST_NAMES = 50;

/** `completed`: the query with the row's name; null for the query as it stands. */
type Row = vscode.QuickPickItem & { readonly completed: string | null };

export type FilterSurroundings = {
  /** Tells the user where it fails. */
  readonly ask: Ask;
  /** Answers null where it fails or is cancelled. */
  readonly askQuietly: <Answer>(
    operation: string,
    parameters: object,
    token?: vscode.CancellationToken,
  ) => Promise<Answer | null>;
  readonly took: (status: Status | null) => void;
};

/** @param given a path to begin with; that which is shown when absent. */
export async function filterByPath(surroundings: FilterSurroundings, given?: string): Promise<void> {
  const status = await surroundings.askQuietly<Status>('status', {});
  const before = shownSource(status)?.chosen.path ?? null;
  new PathList(surroundings, before).open(given ?? before ?? '');
}

class PathList {
  readonly #surroundings: FilterSurroundings;
  readonly #before: string | null;
  readonly #list = vscode.window.createQuickPick<Row>();
  #typing: NodeJS.Timeout | undefined;
  #running = new vscode.CancellationTokenSource();
  /** The query that the server was last asked to show. */
  #shown: string | null;
  #isTaken = false;

  constructor(surroundings: FilterSurroundings, before: string | null) {
    this.#surroundings = surroundings;
    this.#before = before;
    this.#shown = before;
  }

  open(path: string): void {
    const list = this.#list;
    list.title = 'Count only the stacks of a path; empty for all stacks';
    list.placeholder = 'A B ..C: calls in order, .. for one or more; * is any thread';
    list.value = path;
    list.onDidChangeValue(() => this.#typed());
    list.onDidAccept(() => this.#accepted());
    list.onDidHide(() => void this.#left());
    list.show();
    this.#typed();
  }

  #typed(): void {
    clearTimeout(this.#typing);
    this.#running.cancel();
    this.#running = new vscode.CancellationTokenSource();
    const { token } = this.#running;
    const query = this.#list.value;
    void this.#offer(query, token);
    this.#typing = setTimeout(() => void this.#follow(query, token), TYPING_PAUSE_MILLIS);
  }

  /** Offers the typed text as the first row, which Enter takes, and names that it may go on with. */
  async #offer(query: string, token: vscode.CancellationToken): Promise<void> {
    const found = await this.#surroundings.askQuietly<EditorAnswers['completePath']>(
      'completePath',
      { query, limit: MOST_NAMES },
      token,
    );
    if (token.isCancellationRequested) return;
    const names = (found?.names ?? []).map(
      ({ text, kind }): Row => ({
        label: shownWithoutIcons(text),
        description: kind,
        completed: `${query.slice(0, found!.from)}${text}${query.slice(found!.to)}`,
        alwaysShow: true,
      }),
    );
    this.#list.items = [this.#firstRow(query, ''), ...names];
  }

  #firstRow(query: string, description: string): Row {
    const label = query.trim() === '' ? 'all stacks' : shownWithoutIcons(query);
    return { label, description: shownWithoutIcons(description), completed: null, alwaysShow: true };
  }

  async #follow(query: string, token: vscode.CancellationToken): Promise<void> {
    const path = pathOf(query);
    if (path === this.#shown) return;
    const status = await this.#surroundings.askQuietly<Status>('select', { path }, token);
    if (token.isCancellationRequested) return;
    if (status !== null) this.#shown = path;
    const said = status === null ? 'no path yet; Enter tells why' : (shownSource(status)?.text ?? '');
    this.#list.items = [this.#firstRow(query, said), ...this.#list.items.slice(1)];
  }

  #accepted(): void {
    const [row] = this.#list.selectedItems;
    if (row !== undefined && row.completed !== null) {
      this.#list.value = row.completed;
      this.#typed();
      return;
    }
    this.#isTaken = true;
    this.#list.hide();
  }

  /** Gone away from: what was shown before is shown again. */
  async #left(): Promise<void> {
    clearTimeout(this.#typing);
    this.#running.cancel();
    const { ask, askQuietly, took } = this.#surroundings;
    if (this.#isTaken) took(await ask<Status>('select', { path: pathOf(this.#list.value) }));
    else if (this.#shown !== this.#before) took(await askQuietly<Status>('select', { path: this.#before }));
    this.#list.dispose();
  }
}

function pathOf(query: string): string | null {
  return query.trim() === '' ? null : query.trim();
}
