// Lists to pick from, and short messages: what commands show to the user.
import * as vscode from 'vscode';
import type { Choice } from './choices.ts';
import { WAYS, withTitles } from './no-data.ts';
import { inform } from './notices.ts';
import { shownText, shownWithoutIcons } from './shown-text.ts';

export async function pick<Value>(
  title: string,
  choices: readonly Choice<Value>[],
): Promise<Choice<Value> | undefined> {
  const options = { title: shownText(title), matchOnDescription: true };
  return vscode.window.showQuickPick(choices.map(shownChoice), options);
}

/** The values of what was chosen; undefined where the user went away. */
export async function pickSeveral<Value>(
  title: string,
  choices: readonly Choice<Value>[],
): Promise<Value[] | undefined> {
  const chosen = await vscode.window.showQuickPick(choices.map(shownChoice), {
    title,
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ value }) => value);
}

/** Names of the choices come from recordings. */
export function shownChoice<Value>(choice: Choice<Value>): Choice<Value> {
  const { label, description } = choice;
  return { ...choice, label: shownWithoutIcons(label), description: shownWithoutIcons(description) };
}

/** Says why there are no data; the buttons get some. */
export async function offerWays(why: string): Promise<void> {
  const chosen = await inform(`insitu: ${why}.`, ...WAYS.map(([title]) => title));
  const command = WAYS.find(([title]) => title === chosen)?.[1];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}

export function tell(lines: readonly string[]): void {
  if (lines.length > 0) void inform(withTitles(`insitu: ${lines.join(' ')}`));
}
