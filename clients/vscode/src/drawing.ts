// Draws hints at the ends of lines as coloured text and small pictures, and keeps them at their lines while the text is edited.
import * as vscode from 'vscode';
import { type Background, heatColour, heatColourId } from './colours.ts';
import { type Graphic, graphicOf } from './graphic.ts';
import { HEAT_LEVELS, HEAT_SCALES, type HeatLevel, type HeatScale } from './heat.ts';
import { isCompared, LINKED_COMMANDS, linkLine } from './links.ts';
import { afterEdit, type Look, lineEdits, looksOf, type ServerHint } from './looks.ts';

/** Milliseconds without a change before hints of changed text are asked for. */
const PAUSE_MILLIS = 150;
/** Lines above and below the visible ones that have words and pictures: those of a long file are megabytes at each draw. */
const MARGIN_LINES = 150;
/** The space between the code and the text behind it. */
const TEXT_MARGIN = '0 0 0 3ch';
/** How strong the colour of heat is behind code. */
const FILL = ['0f', '1c', '29', '38', '4a'];

/** Names of the types that draw hints; the others, named after colours, draw the lines that have them. */
const WORDS = 'words';
const PICTURES = 'pictures';
const PREDICTIONS = 'predictions';
const BEHIND_CODE: ReadonlySet<string> = new Set([WORDS, PICTURES, PREDICTIONS]);

/** The needs of the drawing from the rest of the extension. */
export type HintSource = {
  readonly ask: (document: vscode.TextDocument) => Promise<readonly ServerHint[] | null>;
  readonly isFocused: () => boolean;
  readonly drawn: () => void;
};

/** Of one document. */
type Drawn = { version: number; looks: readonly Look[]; timer: NodeJS.Timeout | undefined };

type Lines = { readonly first: number; readonly last: number };

export class HintDrawing {
  readonly #source: HintSource;
  readonly #documents = new Map<string, Drawn>();
  /** Lines that have words and pictures. */
  readonly #near = new WeakMap<vscode.TextEditor, Lines>();
  #types = new Map<string, vscode.TextEditorDecorationType>();
  #marks: ReadonlySet<string> = new Set();
  #scale: HeatScale = 'root';
  #enabled = true;

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

  /** Asks anew for all documents on screen; the others are asked for when they are shown. */
  refresh(): void {
    const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    for (const [uri, drawn] of this.#documents) if (!shown.has(uri)) drawn.version = -1;
    for (const { document } of vscode.window.visibleTextEditors) void this.#askFor(document);
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

  /** Gives words and pictures to the lines that come into sight without them. */
  scrolled({ textEditor, visibleRanges }: vscode.TextEditorVisibleRangesChangeEvent): void {
    const near = this.#near.get(textEditor);
    const isNear = ({ start, end }: vscode.Range): boolean =>
      near !== undefined && start.line >= near.first && end.line <= near.last;
    if (this.#documents.has(textEditor.document.uri.toString()) && !visibleRanges.every(isNear))
      this.#draw(textEditor.document);
  }

  edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const drawn = this.#documents.get(document.uri.toString());
    if (drawn === undefined || contentChanges.length === 0) return;
    clearTimeout(drawn.timer);
    drawn.timer = setTimeout(() => void this.#askFor(document), PAUSE_MILLIS);
    const lineNow = (line: number): string | undefined =>
      line < document.lineCount ? document.lineAt(line).text : undefined;
    const edits = lineEdits(contentChanges, lineNow);
    // The editor itself moves the hint of a line with an edit within the line.
    if (edits.every(({ first, last, added }) => first === last && added === 0)) return;
    for (const edit of edits) drawn.looks = afterEdit(drawn.looks, edit);
    this.#draw(document);
  }

  closed(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    clearTimeout(this.#documents.get(uri)?.timer);
    this.#documents.delete(uri);
  }

  dispose(): void {
    for (const type of this.#types.values()) type.dispose();
    for (const { timer } of this.#documents.values()) clearTimeout(timer);
  }

  async #askFor(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'java' || document.uri.scheme !== 'file') return;
    const uri = document.uri.toString();
    if (!this.#enabled) {
      this.#documents.delete(uri);
      return this.#draw(document);
    }
    const drawn = this.#documents.get(uri) ?? { version: -1, looks: [], timer: undefined };
    this.#documents.set(uri, drawn);
    const { version } = document;
    const hints = await this.#source.ask(document);
    // A later edit asks again, and what was closed is gone.
    if (document.version !== version || this.#documents.get(uri) !== drawn || hints === null) return;
    drawn.version = version;
    drawn.looks = looksOf(hints, this.#scale);
    this.#draw(document);
  }

  #draw(document: vscode.TextDocument): void {
    const all = this.#documents.get(document.uri.toString())?.looks ?? [];
    const looks = all.filter(({ line }) => line < document.lineCount);
    const editors = vscode.window.visibleTextEditors.filter(editor => editor.document === document);
    for (const editor of editors) {
      const near = linesNear(editor);
      this.#near.set(editor, near);
      const isNear = ({ line }: Look): boolean => line >= near.first && line <= near.last;
      for (const [id, type] of this.#types) {
        const drawn = BEHIND_CODE.has(id) ? looks.filter(isNear) : looks;
        editor.setDecorations(
          type,
          drawn.flatMap(look => this.#decoration(id, look, document) ?? []),
        );
      }
    }
    this.#source.drawn();
  }

  /** The part of a look that the type of that name draws; null for none. */
  #decoration(id: string, look: Look, document: vscode.TextDocument): vscode.DecorationOptions | null {
    const end = document.lineAt(look.line).range.end;
    const range = new vscode.Range(end, end);
    if (id === WORDS) return { range, hoverMessage: this.#tooltip(look), renderOptions: this.#words(look) };
    if (id === PREDICTIONS) return look.prediction === '' ? null : { range, renderOptions: this.#prediction(look) };
    if (id !== PICTURES) return isOfLevel(look) && id === heatColourId(look.level, look.stale) ? { range } : null;
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

/** All lines of an editor that does not tell yet which it shows. */
function linesNear({ visibleRanges }: vscode.TextEditor): Lines {
  if (visibleRanges.length === 0) return { first: 0, last: Number.POSITIVE_INFINITY };
  return {
    first: Math.min(...visibleRanges.map(({ start }) => start.line)) - MARGIN_LINES,
    last: Math.max(...visibleRanges.map(({ end }) => end.line)) + MARGIN_LINES,
  };
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
