// The subject of the view of runtime calls: a place in a text while that text is as it was, from then on the method that was there.
import type { CallHierarchy, CallHierarchyRow, EditorAnswers, Subject } from 'insitu/protocol';

/** Asks an answer or an operation, about the file that is looked at; null where nothing is answered. */
export type Ask = {
  <Name extends keyof EditorAnswers>(answer: Name, parameters: object): Promise<EditorAnswers[Name] | null>;
  <Answer>(operation: string, parameters: object): Promise<Answer | null>;
};

export type Direction = 'incoming' | 'outgoing';

export class ShownCalls {
  readonly subject: Subject;
  /** The rows of the latest answer; null before it. */
  rows: readonly CallHierarchyRow[] | null = null;
  readonly #version: number | null;
  #isSameText = true;

  /** @param version of the text that a position is meant in. */
  constructor(subject: Subject, version: number | null) {
    this.subject = subject;
    this.#version = version;
  }

  /** The rows with their present numbers. @param version of the text by now. */
  async askedBy(ask: Ask, direction: Direction, version: number | null): Promise<readonly CallHierarchyRow[]> {
    const before = this.rows;
    this.#isSameText &&= version === this.#version;
    this.rows =
      before === null || this.#isSameText
        ? ((await this.#asked(ask, direction, this.subject)) ?? before ?? [])
        : await Promise.all(before.map(row => this.#again(ask, direction, row)));
    return this.rows;
  }

  async #asked(ask: Ask, direction: Direction, subject: Subject): Promise<readonly CallHierarchyRow[] | null> {
    const tree = await ask<CallHierarchy>('callHierarchy', { ...subject, direction });
    return tree?.rows ?? null;
  }

  /** A method is asked for by its name; of what has several, or no data, what is below it can be asked for alone. */
  async #again(ask: Ask, direction: Direction, row: CallHierarchyRow): Promise<CallHierarchyRow> {
    const kept = { ...row, rows: null };
    const [method, ...others] = row.methods;
    if (method === undefined || others.length > 0) return kept;
    const { textDocument } = this.subject;
    const rows = await this.#asked(ask, direction, { ...(textDocument && { textDocument }), method });
    return rows?.[0] ?? kept;
  }
}
