// Compares the versions of one document with its profiled text, and keeps what the next version can take over.
import type { Outline } from '../../../grammar/outline.ts';
import { formStage, formStages } from './form-stages.ts';
import { type Retyped, retyped } from './match-again.ts';
import { type Candidates, matchAgain, matchDeclarations, matchElsewhere } from './match-declarations.ts';
import type { Matches } from './matches.ts';
import { type FormCache, isNamedType, SourceText } from './source-text.ts';
import { oneByOne, type Stage } from './stages.ts';
import { type Memo, TextComparison } from './text-comparison.ts';

/** Compares the versions of one document with its profiled text; what was worked out for one is kept for the next. */
export class TextComparer {
  readonly #text: string;
  readonly #profiled: SourceText;
  #forms: FormCache = new Map();
  /** The results for declarations in the last text, by row of the profiled outline. */
  #memos = new Map<number, Memo>();
  #last: Compared | null = null;

  constructor(text: string, outline: Outline) {
    this.#text = text;
    this.#profiled = new SourceText(text, outline);
  }

  /** Outline of the profiled text. */
  get profiled(): Outline {
    return this.#profiled.outline;
  }

  /** null when the texts are equal. The cost grows with the number of declarations and with the size of the ones that differ. */
  compare(text: string, outline: Outline): TextComparison | null {
    if (text === this.#text) return null;
    this.#last = this.#compareQuickly(text, outline) ?? this.#compareAll(text, outline);
    return this.#last.comparison;
  }

  #compareQuickly(text: string, outline: Outline): Compared | null {
    if (this.#last?.current.outline === outline) return this.#last;
    const edit = this.#editInMembers(text, outline);
    return edit === null ? null : this.#compareAgain(edit);
  }

  #compareAll(text: string, outline: Outline): Compared {
    for (const stage of this.#matching(this.#source(text, outline))) while (stage());
    return this.#last!;
  }

  /** The last stage keeps what came of it. */
  #matching(current: SourceText): readonly Stage[] {
    const { matches, stages } = matchDeclarations(this.#profiled, current);
    const keep = () => {
      this.#last = { current, matches, comparison: new TextComparison(this.#profiled, current, matches, this.#memos) };
    };
    return [...stages, oneByOne(keep)];
  }

  /** An edit inside one member leaves the others as they were in the last text; null where more has changed. */
  #editInMembers(text: string, outline: Outline): Edit | null {
    if (this.#last === null) return null;
    const { current: before, matches } = this.#last;
    const current = before.later(text, outline);
    const change = retyped(this.#profiled, before, current, matches);
    return change === null ? null : { before: this.#last, current, change };
  }

  #compareAgain({ before: { current: before, matches: known, comparison }, current, change }: Edit): Compared {
    before.forgetForms(change.changed);
    const matches = matchAgain(this.#profiled, current, known, change.members);
    const earlier = { comparison, change };
    return { current, matches, comparison: new TextComparison(this.#profiled, current, matches, this.#memos, earlier) };
  }

  /** The work of `compare` in stages; `compare` is quick for the same text once all of them have been called. */
  stagesTo(text: string, outline: Outline): readonly Stage[] {
    if (text === this.#text) return [];
    if (this.#last?.current.outline === outline) return [];
    const edit = this.#editInMembers(text, outline);
    if (edit === null) {
      const current = this.#source(text, outline);
      return [...formStages(this.#profiled, current), ...this.#matching(current)];
    }
    const rows = edit.change.members.map(([, row]) => row);
    const again = () => {
      this.#last = this.#compareAgain(edit);
    };
    return [formStage(edit.current, rows.values(), () => true), oneByOne(again)];
  }

  /** The same for `compareElsewhere`. */
  stagesElsewhere(text: string, outline: Outline, { gone, fresh }: Candidates): readonly Stage[] {
    const current = this.#source(text, outline);
    const isCode = (source: SourceText) => (row: number) => !isNamedType(source.declaration(row));
    return [
      formStage(this.#profiled, gone.values(), isCode(this.#profiled)),
      formStage(current, fresh.values(), isCode(current)),
    ];
  }

  /** The declarations of this text that have moved into the text of another file: rows that are gone here and new there. */
  compareElsewhere(text: string, outline: Outline, candidates: Candidates): TextComparison {
    const current = this.#source(text, outline);
    return new TextComparison(this.#profiled, current, matchElsewhere(this.#profiled, current, candidates), null);
  }

  #source(text: string, outline: Outline): SourceText {
    const forms: FormCache = new Map();
    const current = new SourceText(text, outline, forms, this.#forms);
    this.#forms = forms;
    return current;
  }
}

/** An edit that leaves all but the code of some members as it was. */
type Edit = { readonly before: Compared; readonly current: SourceText; readonly change: Retyped };

/** The latest text with what came of it. */
type Compared = {
  readonly current: SourceText;
  readonly matches: Matches;
  readonly comparison: TextComparison;
};
