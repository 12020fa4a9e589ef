// Notices: what the extension says to the user. VS Code makes links of `[text](address)` in them, also links that run commands, while names in
// the text come from recordings, repositories and settings of a folder.
import * as vscode from 'vscode';
import { withoutLinks } from './shown-text.ts';

export function inform<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return vscode.window.showInformationMessage(withoutLinks(text), ...buttons);
}

/** A question in the middle of the window, with a button to go away. */
export function confirm<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return vscode.window.showInformationMessage(withoutLinks(text), { modal: true }, ...buttons);
}

export function warn<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return vscode.window.showWarningMessage(withoutLinks(text), ...buttons);
}

export function complain<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return vscode.window.showErrorMessage(withoutLinks(text), ...buttons);
}
