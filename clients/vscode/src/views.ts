// The views of the side bar: hot methods, runtime calls, executions and tasks, filled by the server.
import type {
  CallHierarchy,
  CallHierarchyRow,
  Choices,
  EditorAnswers,
  Location,
  SourceStatus,
  Subject,
} from 'insitu/protocol';
import * as vscode from 'vscode';
import { type Ask, type Direction, ShownCalls } from './calls.ts';
import { type Chip, chipsOf, metricName } from './chips.ts';
import { tasksOf } from './choices.ts';
import { heatColourId } from './colours.ts';
import { heatLevel } from './heat.ts';
import {
  callRowText,
  type ExecutionGroup,
  executionGroups,
  executionGroupText,
  type HotOrder,
  hotMethodText,
  instanceText,
  methodName,
  movedText,
  type RowText,
  rowIds,
  shortLabels,
  taskText,
} from './rows.ts';
import { shownText } from './shown-text.ts';

const MOST_METHODS = 100;

/** A view whose rows come from one place and are asked for when it is looked at. They keep their identity while numbers change. */
abstract class View<Row extends object> implements vscode.TreeDataProvider<Row> {
  protected readonly ask: Ask;
  protected readonly view: vscode.TreeView<Row>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #ids = new WeakMap<Row, string>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(id: string, ask: Ask) {
    this.ask = ask;
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  /** Rows below one, or the first ones. */
  protected abstract rowsBelow(row: Row | undefined): Promise<readonly Row[]>;
  protected abstract itemOf(row: Row): vscode.TreeItem;
  /** The name of a row's subject, without its numbers. */
  protected abstract nameOf(row: Row): readonly unknown[];

  async getChildren(row?: Row): Promise<Row[]> {
    const rows = [...(await this.rowsBelow(row))];
    const ids = rowIds(
      rows.map(each => this.nameOf(each)),
      row === undefined ? '' : (this.#ids.get(row) ?? ''),
    );
    for (const [at, each] of rows.entries()) this.#ids.set(each, ids[at] ?? '');
    return rows;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = this.itemOf(row);
    const id = this.#ids.get(row);
    if (id !== undefined) item.id = id;
    return item;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }
}

type MethodRow = EditorAnswers['top']['rows'][number];
type MovedRow = EditorAnswers['moved']['rows'][number];
/** Says why there are no methods; the command does something about it. */
type NoteRow = { readonly note: string; readonly reason: string; readonly command: string };
type HotRow = MethodRow | MovedRow | { readonly chip: Chip } | NoteRow;

const ORDER_WORDS: Readonly<Record<HotOrder, string>> = {
  own: '',
  total: 'by time with callees',
  self: 'by self time',
  change: 'by change',
};

/** Above the methods stands what was chosen, a click takes it back. */
export class HotMethodsView extends View<HotRow> {
  readonly #source: () => SourceStatus | null;
  #order: HotOrder = 'own';
  #labels: ReadonlyMap<string, string> = new Map();

  /** @param source what is shown; null where nothing is known of it. */
  constructor(id: string, ask: Ask, source: () => SourceStatus | null) {
    super(id, ask);
    this.#source = source;
  }

  get order(): HotOrder {
    return this.#order;
  }

  orderBy(order: HotOrder): void {
    this.#order = order;
    this.refresh();
  }

  protected async rowsBelow(row: HotRow | undefined): Promise<readonly HotRow[]> {
    if (row !== undefined) return [];
    const methods = this.#order === 'change' ? await this.#moved() : await this.#hottest(this.#order);
    const found = methods.filter(each => 'method' in each);
    this.#labels = shortLabels(found.map(({ method }) => method.label));
    const source = this.#source();
    const chips = source === null ? [] : chipsOf(source).map(chip => ({ chip }));
    const metric = source?.metric == null ? '' : metricName(source.metric);
    this.view.description = [metric, ORDER_WORDS[this.#order]].filter(text => text !== '').join(' · ');
    if (methods.length > 0 || source === null || source.part === '') return [...chips, ...methods];
    return [...chips, { note: 'Show everything', reason: 'nothing is left', command: 'insitu.clearAll' }];
  }

  protected nameOf(row: HotRow): readonly unknown[] {
    if ('chip' in row) return ['chip', row.chip.label];
    return 'note' in row ? ['note', row.note] : methodName(row.method);
  }

  protected itemOf(row: HotRow): vscode.TreeItem {
    if ('chip' in row) return chipItem(row.chip);
    if ('note' in row) return noteItem(row);
    const label = this.#labels.get(row.method.label);
    const text = 'vanished' in row ? movedText(row, label) : hotMethodText(row, this.#order, label);
    const item = itemOf(text, 'method', row.method.location);
    item.iconPath = 'vanished' in row ? heatIcon(row.change.current) : hotIcon(row, this.#order);
    return item;
  }

  async #hottest(sort: 'own' | 'total' | 'self'): Promise<readonly HotRow[]> {
    const wish = { limit: MOST_METHODS, sort, platform: sort === 'self' };
    return (await this.ask('top', wish))?.rows ?? [];
  }

  /** Largest changes first, whichever way they go. */
  async #moved(): Promise<readonly HotRow[]> {
    if (this.#source()?.baseline == null)
      return [{ note: 'Compare with …', reason: 'there is no baseline', command: 'insitu.compareWith' }];
    const answer = await this.ask('moved', { limit: MOST_METHODS });
    if (answer === null) return [];
    if (answer.rows.length === 0)
      return [
        {
          note: 'Compare with …',
          reason: 'no share moved by 0.1 points or more',
          command: 'insitu.compareWith',
        },
      ];
    return answer.rows;
  }
}

/** Of what the list is sorted by; the platform's own methods have a quiet one. */
function hotIcon({ isPlatform, ...row }: MethodRow, order: HotOrder): vscode.ThemeIcon {
  if (isPlatform) return new vscode.ThemeIcon('library', new vscode.ThemeColor('disabledForeground'));
  return heatIcon(row[order === 'change' ? 'total' : order].share);
}

function chipItem(chip: Chip): vscode.TreeItem {
  const label = shownText(chip.label);
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon('close');
  item.contextValue = 'chip';
  item.tooltip = `Click to take back: ${label}`;
  item.accessibilityInformation = { label: `Take back: ${label}` };
  item.command = { command: 'insitu.clearChoice', title: 'Take back', arguments: [{ chip }] };
  return item;
}

function noteItem({ note, reason, command }: NoteRow): vscode.TreeItem {
  const item = new vscode.TreeItem(note);
  item.description = reason;
  item.iconPath = new vscode.ThemeIcon('info');
  item.contextValue = 'note';
  item.tooltip = `${note}: ${reason}`;
  item.accessibilityInformation = { label: `${note}: ${reason}` };
  item.command = { command, title: note };
  return item;
}

export class CallsView extends View<CallHierarchyRow> {
  readonly #aloud: Ask;
  #direction: Direction = 'outgoing';
  #shown: ShownCalls | null = null;

  /** @param aloud tells the user of a failure, for what the user has just asked. */
  constructor(id: string, quietly: Ask, aloud: Ask) {
    super(id, quietly);
    this.#aloud = aloud;
  }

  /** Shows who calls the subject, or whom it calls. */
  async show(subject: Subject, direction: Direction): Promise<void> {
    this.#shown = new ShownCalls(subject, textVersionOf(subject));
    this.#direction = direction;
    await vscode.commands.executeCommand('insitu.calls.focus');
    this.refresh();
  }

  turn(): void {
    this.#direction = this.#direction === 'incoming' ? 'outgoing' : 'incoming';
    this.refresh();
  }

  protected async rowsBelow(row: CallHierarchyRow | undefined): Promise<readonly CallHierarchyRow[]> {
    if (row !== undefined) return row.rows ?? (await this.#below(row));
    this.view.description = '';
    const shown = this.#shown;
    if (shown === null) return [];
    const ask = shown.rows === null ? this.#aloud : this.ask;
    const rows = await shown.askedBy(ask, this.#direction, textVersionOf(shown.subject));
    this.view.description = this.#direction === 'incoming' ? 'who calls it' : 'what it calls';
    this.view.message =
      rows.length === 0 ? 'Nothing here was seen running; “insitu: Why this has its number, or none” tells why.' : '';
    return rows;
  }

  protected nameOf({ label, methods }: CallHierarchyRow): readonly unknown[] {
    // Rows unfolded below callers are no part of the rows unfolded below callees.
    return [this.#direction, ...(methods.length === 0 ? [label] : methods.map(methodName))];
  }

  protected itemOf(row: CallHierarchyRow): vscode.TreeItem {
    const item = itemOf(callRowText(row), 'call', row.location);
    const known = row.rows;
    item.collapsibleState =
      known === null
        ? vscode.TreeItemCollapsibleState.Collapsed
        : known.length === 0
          ? vscode.TreeItemCollapsibleState.None
          : vscode.TreeItemCollapsibleState.Expanded;
    item.iconPath = row.share === null ? new vscode.ThemeIcon('circle-outline') : heatIcon(row.share.share);
    return item;
  }

  async #below(row: CallHierarchyRow): Promise<readonly CallHierarchyRow[]> {
    const tree = await this.ask<CallHierarchy>('callHierarchy', { item: row.item, direction: this.#direction });
    return tree?.rows ?? [];
  }
}

/** Null where it is about no text that is open. */
function textVersionOf(subject: Subject): number | null {
  if (!('position' in subject)) return null;
  const { uri } = subject.textDocument;
  return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri)?.version ?? null;
}

type ExecutionRow = ExecutionGroup | Choices['executions'][number];

export class ExecutionsView extends View<ExecutionRow> {
  protected async rowsBelow(row: ExecutionRow | undefined): Promise<readonly ExecutionRow[]> {
    if (row !== undefined) return 'instances' in row ? row.instances : [];
    const answer = await this.ask<Choices>('choices', {});
    return answer === null ? [] : executionGroups(answer);
  }

  protected nameOf(row: ExecutionRow): readonly unknown[] {
    return 'instances' in row ? [row.program, row.version] : [row.instance];
  }

  protected itemOf(row: ExecutionRow): vscode.TreeItem {
    const isGroup = 'instances' in row;
    const item = itemOf(isGroup ? executionGroupText(row) : instanceText(row), isGroup ? 'version' : 'instance', null);
    if (isGroup) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    item.iconPath = new vscode.ThemeIcon(row.shown ? 'eye' : isGroup ? 'versions' : 'server-process');
    return item;
  }
}

type TaskRow = EditorAnswers['tasks']['rows'][number];

export class TasksView extends View<TaskRow> {
  protected async rowsBelow(row: TaskRow | undefined): Promise<readonly TaskRow[]> {
    return row === undefined ? tasksOf(this.ask) : [];
  }

  protected nameOf({ name, definition }: TaskRow): readonly unknown[] {
    return [name, definition];
  }

  protected itemOf(row: TaskRow): vscode.TreeItem {
    const item = itemOf(taskText(row), 'task', null);
    item.iconPath = heatIcon(row.share.share);
    return item;
  }
}

function itemOf({ label, description, tooltip }: RowText, kind: string, location: Location | null): vscode.TreeItem {
  const item = new vscode.TreeItem(shownText(label));
  item.description = shownText(description);
  item.tooltip = tooltip;
  item.contextValue = kind;
  // Else a screen reader would say the tooltip.
  item.accessibilityInformation = { label: shownText(`${label} ${description}`.trim()) };
  if (location !== null) item.command = { command: 'insitu.goTo', title: 'Go to the source', arguments: [location] };
  return item;
}

function heatIcon(share: number): vscode.ThemeIcon {
  return new vscode.ThemeIcon('flame', new vscode.ThemeColor(heatColourId(heatLevel(share, 'root'), false)));
}
