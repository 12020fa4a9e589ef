// Links in hovers that run commands: the few that may, and how they are written.
import type { Subject } from 'insitu/protocol';

/** The commands that a hover may run; none of them can start a program or change a file. */
export const LINKED_COMMANDS = [
  'insitu.callers',
  'insitu.callees',
  'insitu.threads',
  'insitu.implementations',
  'insitu.heaviestPath',
  'insitu.why',
  'insitu.showPicture',
  'insitu.showBlueprint',
  'insitu.focus',
  'insitu.clearFocus',
  'insitu.selectPath',
  'insitu.goTo',
] as const;

type LinkedCommand = (typeof LINKED_COMMANDS)[number];

const TITLES: readonly (readonly [LinkedCommand, string])[] = [
  ['insitu.callers', 'Callers'],
  ['insitu.callees', 'Callees'],
  ['insitu.threads', 'Threads'],
  ['insitu.heaviestPath', 'Heaviest path'],
  ['insitu.why', 'Why?'],
  ['insitu.showPicture', 'Picture'],
  ['insitu.focus', 'Make it 100 %'],
];

/** Address of a command in Markdown. */
export function commandLink(command: LinkedCommand, argument: object | null): string {
  const given = argument === null ? '' : `?${encodedInLink(JSON.stringify([argument]))}`;
  return `command:${command}${given}`;
}

/** `[Shop.java:12](<file:///…/Shop.java#L12>)`, as the server writes places. */
const FILE_LINK = /\]\(<(file:\/\/[^<>]*)#L(\d+)>\)/g;

/** ``this path: `Shop.run Card.pay` ``, a line of the hover of a call. */
const PATH_LINE = /^this path: `([^`\n]+)`$/m;

/** Links to lines of files, and the path of a call, as links that go there in the column where code is: the editor would use the active one, a picture's too. */
export function withCodeLinks(markdown: string): string {
  return markdown
    .replace(FILE_LINK, (_, uri: string, line: string) => {
      const start = { line: Number(line) - 1, character: 0 };
      return `](${commandLink('insitu.goTo', { uri, range: { start, end: start } })})`;
    })
    .replace(PATH_LINE, (_, path: string) => `this path: [\`${path}\`](${commandLink('insitu.selectPath', { path })})`);
}

/** As a part of an address that may stand in Markdown, where a parenthesis would end it. */
export function encodedInLink(text: string): string {
  return encodeURIComponent(text).replace(/[()]/g, each => `%${each.charCodeAt(0).toString(16)}`);
}

/** Whether the server's text has the table of a version that is compared with. */
export function isCompared(markdown: string): boolean {
  return /^\|.*\| change \|$/m.test(markdown);
}

/** The line of links above a hover's numbers, where a long hover does not hide it. */
export function linkLine(subject: Subject, { focused = false, compared = false }): string {
  const links = TITLES.map(([command, title]) => `[${title}](${commandLink(command, subject)})`);
  if (compared) links.push(`[Blueprint](${commandLink('insitu.showBlueprint', subject)})`);
  if (focused) links.push(`[Clear focus](${commandLink('insitu.clearFocus', null)})`);
  return links.join(' · ');
}
