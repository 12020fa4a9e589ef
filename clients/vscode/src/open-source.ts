// Opens sources in the column where code is: never over a picture, a page of the extension or another page without code.
import type { Location } from 'insitu/protocol';
import * as vscode from 'vscode';

/** Opens the place of a row, link or page. */
export async function goTo({ uri, range }: Location): Promise<void> {
  const { start } = range;
  const at = new vscode.Position(start.line, start.character);
  await showSource(vscode.Uri.parse(uri), new vscode.Range(at, at));
}

export async function showSource(uri: vscode.Uri, selection?: vscode.Range): Promise<void> {
  await vscode.window.showTextDocument(uri, { viewColumn: columnFor(uri), ...(selection && { selection }) });
}

/** Where the file is seen already, else the active column, else the first one with code, else a new one. */
function columnFor(uri: vscode.Uri): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const shows = ({ activeTab }: vscode.TabGroup): boolean =>
    activeTab?.input instanceof vscode.TabInputText && activeTab.input.uri.toString() === uri.toString();
  const isForCode = ({ activeTab }: vscode.TabGroup): boolean => !(activeTab?.input instanceof vscode.TabInputWebview);
  const seen = all.find(shows);
  const group = seen ?? (isForCode(activeTabGroup) ? activeTabGroup : all.find(isForCode));
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}
