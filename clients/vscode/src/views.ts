// The views of the side bar: hot methods, runtime calls, executions and tasks, filled by the server.
import type {
  CallTree,
  CallTreeRow,
  ExecutionsMessage,
  Location,
  Subject,
  TasksMessage,
  TopMessage,
} from 'insitu/protocol';
import * as vscode from 'vscode';
import { heatColourId } from './colours.ts';
import { heatLevel } from './heat.ts';
import {
  callRowText,
  type ExecutionGroup,
  executionGroups,
  executionGroupText,
  hotMethodText,
  instanceText,
  type RowText,
  taskText,
} from './rows.ts';

const MOST_METHODS = 100;

/** Asks an operation, about the file that is looked at. */
export type Ask = <Answer>(operation: string, parameters: object) => Promise<Answer | null>;

export type Direction = 'incoming' | 'outgoing';

/** A view whose rows come from one place and are asked for when it is looked at. */
abstract class View<Row> implements vscode.TreeDataProvider<Row> {
  protected readonly ask: Ask;
  protected readonly view: vscode.TreeView<Row>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(id: string, ask: Ask) {
    this.ask = ask;
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
  }

  abstract getChildren(row?: Row): Promise<Row[]>;
  abstract getTreeItem(row: Row): vscode.TreeItem;

  refresh(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }
}

export class HotMethodsView extends View<TopMessage[number]> {
  async getChildren(row?: TopMessage[number]): Promise<TopMessage[number][]> {
    return row === undefined ? [...((await this.ask<TopMessage>('hotMethods', { limit: MOST_METHODS })) ?? [])] : [];
  }

  getTreeItem(row: TopMessage[number]): vscode.TreeItem {
    const item = itemOf(hotMethodText(row), 'method', row.method.location);
    item.iconPath = heatIcon(row.total.share);
    return item;
  }
}

export class CallsView extends View<CallTreeRow> {
  #direction: Direction = 'outgoing';
  #subject: Subject | null = null;

  get subject(): Subject | null {
    return this.#subject;
  }

  /** Shows who calls the subject, or whom it calls. */
  async show(subject: Subject, direction: Direction): Promise<void> {
    this.#subject = subject;
    this.#direction = direction;
    await vscode.commands.executeCommand('insitu.calls.focus');
    this.refresh();
  }

  turn(): void {
    this.#direction = this.#direction === 'incoming' ? 'outgoing' : 'incoming';
    this.refresh();
  }

  async getChildren(row?: CallTreeRow): Promise<CallTreeRow[]> {
    if (row !== undefined) return [...(row.rows ?? (await this.#below(row)))];
    this.view.description = '';
    if (this.#subject === null) return [];
    const tree = await this.ask<CallTree>('callTree', { ...this.#subject, direction: this.#direction });
    const rows = tree?.rows ?? [];
    this.view.description = this.#direction === 'incoming' ? 'who calls it' : 'what it calls';
    this.view.message = rows.length === 0 ? 'Nothing here was seen running; "insitu: Why" tells why.' : '';
    return [...rows];
  }

  getTreeItem(row: CallTreeRow): vscode.TreeItem {
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

  async #below(row: CallTreeRow): Promise<readonly CallTreeRow[]> {
    const tree = await this.ask<CallTree>('callTree', { item: row.item, direction: this.#direction });
    return tree?.rows ?? [];
  }
}

type ExecutionRow = ExecutionGroup | ExecutionsMessage['executions'][number];

export class ExecutionsView extends View<ExecutionRow> {
  async getChildren(row?: ExecutionRow): Promise<ExecutionRow[]> {
    if (row !== undefined) return 'instances' in row ? [...row.instances] : [];
    const answer = await this.ask<ExecutionsMessage>('executions', {});
    return answer === null ? [] : executionGroups(answer);
  }

  getTreeItem(row: ExecutionRow): vscode.TreeItem {
    const isGroup = 'instances' in row;
    const item = itemOf(isGroup ? executionGroupText(row) : instanceText(row), isGroup ? 'version' : 'instance', null);
    if (isGroup) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    item.iconPath = new vscode.ThemeIcon(row.shown ? 'eye' : isGroup ? 'versions' : 'server-process');
    return item;
  }
}

export class TasksView extends View<TasksMessage[number]> {
  async getChildren(row?: TasksMessage[number]): Promise<TasksMessage[number][]> {
    return row === undefined ? [...((await this.ask<TasksMessage>('tasks', {})) ?? [])] : [];
  }

  getTreeItem(row: TasksMessage[number]): vscode.TreeItem {
    const item = itemOf(taskText(row), 'task', null);
    item.iconPath = heatIcon(row.total.share);
    return item;
  }
}

function itemOf({ label, description, tooltip }: RowText, kind: string, location: Location | null): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.description = description;
  item.tooltip = tooltip;
  item.contextValue = kind;
  // Else a screen reader would say the tooltip.
  item.accessibilityInformation = { label: `${label} ${description}`.trim() };
  if (location !== null) item.command = { command: 'insitu.goTo', title: 'Go to the source', arguments: [location] };
  return item;
}

function heatIcon(share: number): vscode.ThemeIcon {
  return new vscode.ThemeIcon('flame', new vscode.ThemeColor(heatColourId(heatLevel(share, 'root'), false)));
}
