// Draws hints at the ends of lines as coloured text and small pictures, and keeps them at their lines while the text is edited.
import * as vscode from 'vscode';
import { type Background, heatColour, heatColourId } from './colours.ts';
import { type Graphic, graphicOf } from './graphic.ts';
import { HEAT_LEVELS, HEAT_SCALES, type HeatLevel, type HeatScale } from './heat.ts';
import { isCompared, LINKED_COMMANDS, linkLine } from './links.ts';
import { afterEdit, type Lines, type Look, lineEdits, type ServerHint, withHints } from './looks.ts';

/** Milliseconds without a change before hints of changed text are asked for. */
const PAUSE_MILLIS = 150;
/** Lines above and below the visible ones whose hints are asked for first and drawn in full: all hints of a long file are megabytes at each key. */
const MARGIN_LINES = 150;
/** Milliseconds after the hints of these lines before those of all lines are asked for. */
const REST_MILLIS = 500;
/** The space between the code and the text behind it. */
const TEXT_MARGIN = '0 0 0 3ch';
/** How strong the colour of heat is behind code. */
const FILL = ['0f', '1c', '29', '38', '4a'];

/** Names of the types that draw hints; the others, named after colours, draw the lines that have them. */
const WORDS = 'words';
const PICTURES = 'pictures';
const PREDICTIONS = 'predictions';
/** The looks that each of them draws, of those near the visible lines. */
const BEHIND_CODE: ReadonlyMap<string, (near: readonly Look[]) => readonly Look[]> = new Map([
  [WORDS, near => near],
  [PICTURES, near => near.filter(({ data }) => data.selfOfMethod !== undefined || data.change !== undefined)],
  [PREDICTIONS, near => near.filter(({ prediction }) => prediction !== '')],
]);

/** The needs of the drawing from the rest of the extension. */
export type HintSource = {
  readonly ask: (document: vscode.TextDocument, lines: Lines) => Promise<readonly ServerHint[] | null>;
  readonly isFocused: () => boolean;
  readonly drawn: () => void;
};

/** Of one document. */
type Drawn = {
  version: number;
  looks: readonly Look[];
  /** Until hints of changed text are asked for; undefined where none are due. */
  timer: NodeJS.Timeout | undefined;
  /** Until the hints of all lines are asked for. */
  rest: NodeJS.Timeout | undefined;
};

/** The last looks that an editor was given to draw. */
type Given = {
  /** The lines that have words and pictures. */
  readonly near: Lines;
  /** By the name of the type that draws them. The editor itself keeps them at their lines. */
  readonly looks: Map<string, readonly Look[]>;
};

export class HintDrawing {
  readonly #source: HintSource;
  readonly #documents = new Map<string, Drawn>();
  #given = new WeakMap<vscode.TextEditor, Given>();
  #types = new Map<string, vscode.TextEditorDecorationType>();
  #marks: ReadonlySet<string> = new Set();
  #scale: HeatScale = 'root';
  #enabled = true;
  /** How often the data or the settings have changed. */
  #revision = 0;

  constructor(source: HintSource) {
    this.#source = source;
    this.readSettings();
  }

  /** Takes over settings that have changed, and draws everything anew. */
  readSettings(): void {
    const configuration = vscode.workspace.getConfiguration('insitu');
    this.#marks = new Set(configuration.get<string[]>('marks') ?? []);
    this.#scale = HEAT_SCALES.find(scale => scale === configuration.get<string>('scale')) ?? 'root';
    this.#enabled =
      configuration.get<boolean>('enabled') !== false && configuration.get<string>('drawing') !== 'editor';
    for (const type of this.#types.values()) type.dispose();
    this.#types = new Map();
    this.#given = new WeakMap();
    // At one place, the editor draws first the decoration whose type has the smaller name.
    const ordered = [WORDS, PREDICTIONS, PICTURES];
    const types = ordered
      .map(() => vscode.window.createTextEditorDecorationType({}))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const [at, type] of types.entries()) this.#types.set(ordered[at]!, type);
    for (const stale of [false, true])
      for (const level of HEAT_LEVELS)
        this.#types.set(
          heatColourId(level, stale),
          vscode.window.createTextEditorDecorationType(lineStyle(level, stale, this.#marks)),
        );
    this.refresh();
  }

  /** Asks anew for all documents on screen; the others are asked for when they are shown, and text that is being typed after its pause. */
  refresh(): void {
    this.#revision++;
    const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
    const uris = new Set([...shown].map(({ uri }) => uri.toString()));
    for (const [uri, drawn] of this.#documents) if (!uris.has(uri)) drawn.version = -1;
    for (const document of shown)
      if (this.#documents.get(document.uri.toString())?.timer === undefined) void this.#askFor(document);
  }

  /** How many hints a document has, and how many of them stand at changed code. */
  count(document: vscode.TextDocument): { count: number; changed: number } {
    const looks = this.#documents.get(document.uri.toString())?.looks ?? [];
    return { count: looks.length, changed: looks.filter(({ stale }) => stale).length };
  }

  editorsChanged(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      const drawn = this.#documents.get(document.uri.toString());
      if (drawn === undefined || drawn.version !== document.version) void this.#askFor(document);
      else this.#draw(document);
    }
  }

  /** The tooltip of a hint, at the end of its line. As part of decorations, all of them would be parsed by the editor at each draw. */
  hoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const looks = this.#documents.get(document.uri.toString())?.looks ?? [];
    const look = looks.find(({ line }) => line === position.line);
    if (look === undefined || !document.lineAt(position).range.end.isEqual(position)) return null;
    return new vscode.Hover(this.#tooltip(look));
  }

  /** Gives words and pictures to the lines that come into sight without them. */
  scrolled({ textEditor, visibleRanges }: vscode.TextEditorVisibleRangesChangeEvent): void {
    const near = this.#given.get(textEditor)?.near;
    const isNear = ({ start, end }: vscode.Range): boolean =>
      near !== undefined && start.line >= near.first && end.line <= near.last;
    if (this.#documents.has(textEditor.document.uri.toString()) && !visibleRanges.every(isNear))
      this.#draw(textEditor.document);
  }

  edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const drawn = this.#documents.get(document.uri.toString());
    if (drawn === undefined || contentChanges.length === 0) return;
    stopTimers(drawn);
    drawn.timer = setTimeout(() => {
      drawn.timer = undefined;
      void this.#askFor(document);
    }, PAUSE_MILLIS);
    const lineNow = (line: number): string | undefined =>
      line < document.lineCount ? document.lineAt(line).text : undefined;
    const edits = lineEdits(contentChanges, lineNow);
    for (const edit of edits) drawn.looks = afterEdit(drawn.looks, edit);
    // The editor itself moves the hint of a line with an edit within the line.
    if (edits.some(({ first, last, added }) => first !== last || added !== 0)) this.#draw(document);
  }

  closed(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    const drawn = this.#documents.get(uri);
    if (drawn !== undefined) stopTimers(drawn);
    this.#documents.delete(uri);
  }

  dispose(): void {
    for (const type of this.#types.values()) type.dispose();
    for (const drawn of this.#documents.values()) stopTimers(drawn);
  }

  async #askFor(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'java' || document.uri.scheme !== 'file') return;
    const uri = document.uri.toString();
    if (!this.#enabled) {
      this.closed(document);
      return this.#draw(document);
    }
    const drawn = this.#documents.get(uri) ?? { version: -1, looks: [], timer: undefined, rest: undefined };
    this.#documents.set(uri, drawn);
    const [all, near] = [allLines(document), linesSeen(document)];
    if (!(await this.#take(document, drawn, near))) return;
    clearTimeout(drawn.rest);
    if (near.first > all.first || near.last < all.last)
      drawn.rest = setTimeout(() => void this.#take(document, drawn, allLines(document)), REST_MILLIS);
  }

  /** Asks for the hints of these lines, and draws them. Resolves with whether the text is still the text that they were asked for. */
  async #take(document: vscode.TextDocument, drawn: Drawn, lines: Lines): Promise<boolean> {
    const [{ version }, revision] = [document, this.#revision];
    const hints = await this.#source.ask(document, lines);
    // A later edit asks again, and what was closed is gone.
    const isOpen = this.#documents.get(document.uri.toString()) === drawn;
    if (document.version !== version || !isOpen || hints === null) return false;
    // Hints of older data are asked for again when the document is shown next.
    drawn.version = revision === this.#revision ? version : -1;
    drawn.looks = withHints(drawn.looks, hints, lines, this.#scale);
    this.#draw(document);
    return true;
  }

  #draw(document: vscode.TextDocument): void {
    const all = this.#documents.get(document.uri.toString())?.looks ?? [];
    const looks = all.filter(({ line }) => line < document.lineCount);
    const levels = Map.groupBy(looks, look => (isOfLevel(look) ? heatColourId(look.level, look.stale) : null));
    for (const editor of vscode.window.visibleTextEditors.filter(each => each.document === document)) {
      const near = linesNear(editor);
      const before = this.#given.get(editor);
      const given: Given = { near, looks: new Map() };
      this.#given.set(editor, given);
      const behind = looks.filter(({ line }) => line >= near.first && line <= near.last);
      for (const [id, type] of this.#types) {
        const wanted = BEHIND_CODE.get(id)?.(behind) ?? levels.get(id) ?? [];
        given.looks.set(id, wanted);
        if (isSameList(before?.looks.get(id) ?? [], wanted)) continue;
        // Places alone are numbers for the editor.
        const decorations = BEHIND_CODE.has(id)
          ? wanted.flatMap(look => this.#decoration(id, look, document) ?? [])
          : wanted.map(look => placeOf(look, document));
        editor.setDecorations(type, decorations);
      }
    }
    this.#source.drawn();
  }

  /** The part of a look that the type of that name draws behind code; null for none. */
  #decoration(id: string, look: Look, document: vscode.TextDocument): vscode.DecorationOptions | null {
    const range = placeOf(look, document);
    if (id === WORDS) return { range, renderOptions: this.#words(look) };
    if (id === PREDICTIONS) return { range, renderOptions: this.#prediction(look) };
    const [dark, light] = [this.#picture(look, 'dark'), this.#picture(look, 'light')];
    return dark === null || light === null ? null : { range, renderOptions: { dark, light } };
  }

  #words(look: Look): vscode.DecorationInstanceRenderOptions {
    if (!this.#marks.has('text') || !isOfLevel(look)) return {};
    const color = new vscode.ThemeColor(heatColourId(look.level, look.stale));
    return { after: { contentText: look.text, color, margin: TEXT_MARGIN } };
  }

  /** A prediction is no share of anything: it has the colour of the editor's own hints, not one of heat. */
  #prediction({ prediction, text }: Look): vscode.DecorationInstanceRenderOptions {
    if (!this.#marks.has('text')) return {};
    const color = new vscode.ThemeColor('editorInlayHint.foreground');
    return { after: { contentText: prediction, color, margin: text === '' ? TEXT_MARGIN : '0 0 0 1ch' } };
  }

  #picture({ data, stale }: Look, background: Background): vscode.ThemableDecorationInstanceRenderOptions | null {
    const drawn = this.#marks.has('bar') ? graphicOf(data, stale, this.#scale, background) : null;
    return drawn === null ? null : { after: attached(drawn) };
  }

  #tooltip({ tooltip, subject }: Look): vscode.MarkdownString {
    const links =
      subject === null
        ? ''
        : `${linkLine(subject, { focused: this.#source.isFocused(), compared: isCompared(tooltip) })}\n\n`;
    const markdown = new vscode.MarkdownString(links + tooltip);
    markdown.isTrusted = { enabledCommands: LINKED_COMMANDS };
    return markdown;
  }
}

function stopTimers({ timer, rest }: Drawn): void {
  clearTimeout(timer);
  clearTimeout(rest);
}

function isSameList(one: readonly Look[], other: readonly Look[]): boolean {
  return one.length === other.length && one.every((look, at) => look === other[at]);
}

function allLines({ lineCount }: vscode.TextDocument): Lines {
  return { first: 0, last: lineCount - 1 };
}

/** The lines of a document near those on screen; all where it is not known which are on screen. */
function linesSeen(document: vscode.TextDocument): Lines {
  const all = allLines(document);
  const editors = vscode.window.visibleTextEditors.filter(editor => editor.document === document);
  if (editors.length === 0) return all;
  const near = editors.map(linesNear);
  return {
    first: Math.max(all.first, Math.min(...near.map(({ first }) => first))),
    last: Math.min(all.last, Math.max(...near.map(({ last }) => last))),
  };
}

/** All lines of an editor that does not tell yet which it shows. */
function linesNear({ visibleRanges }: vscode.TextEditor): Lines {
  if (visibleRanges.length === 0) return { first: 0, last: Number.POSITIVE_INFINITY };
  return {
    first: Math.min(...visibleRanges.map(({ start }) => start.line)) - MARGIN_LINES,
    last: Math.max(...visibleRanges.map(({ end }) => end.line)) + MARGIN_LINES,
  };
}

/** The end of its line. */
function placeOf({ line }: Look, document: vscode.TextDocument): vscode.Range {
  const { end } = document.lineAt(line).range;
  return new vscode.Range(end, end);
}

function isOfLevel(look: Look): look is Look & { readonly level: HeatLevel } {
  return look.level !== null;
}

function attached({ svg, width, height }: Graphic): vscode.ThemableDecorationAttachmentRenderOptions {
  return { contentIconPath: pictureUri(svg), width: `${width}px`, height: `${height}px`, margin: '0 0 0 1ch' };
}

function pictureUri(svg: string): vscode.Uri {
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

function lineStyle(
  level: (typeof HEAT_LEVELS)[number],
  stale: boolean,
  marks: ReadonlySet<string>,
): vscode.DecorationRenderOptions {
  const style = (background: Background): vscode.ThemableDecorationRenderOptions => {
    const colour = heatColour(level, stale, background);
    return {
      ...(marks.has('line') ? { backgroundColor: `${colour}${FILL[level - 1]}` } : {}),
      ...(marks.has('gutter') ? { gutterIconPath: pictureUri(gutterBar(colour)), gutterIconSize: 'contain' } : {}),
    };
  };
  return {
    isWholeLine: marks.has('line'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...(marks.has('ruler')
      ? {
          overviewRulerColor: new vscode.ThemeColor(heatColourId(level, stale)),
          overviewRulerLane: vscode.OverviewRulerLane.Center,
        }
      : {}),
    dark: style('dark'),
    light: style('light'),
  };
}

function gutterBar(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="10" width="4" height="16" fill="${colour}"/></svg>`;
}
