// Changes as people make them to files: a file renamed, a method or a type moved into another file, each with what it must do.
import type { Declaration } from '../../../grammar/outline.ts';
import type { DeclarationState } from '../../../server/mapping/stale/text-comparison.ts';
import type { Subject } from './judge.ts';

/** Files as they are to be afterwards (null: gone), and the one that is looked at. */
export type FileMutant = {
  readonly files: ReadonlyMap<string, string | null>;
  readonly opened: string;
  /** The state that the target must have in the opened file. */
  readonly state: DeclarationState;
  /** Offset in the opened file of the target's first character. */
  readonly at: number;
};

/** @param path of the target's file. */
export type FileOperator = (subject: Subject, member: Declaration, path: string) => FileMutant | null;

/** A class of its own in the target's package, around a text; and where that text begins. */
function classAround({ outline }: Subject, name: string, body: string): { text: string; at: number } {
  const head = `${outline.packageName === '' ? '' : `package ${outline.packageName};\n\n`}class ${name} {\n  static int count;\n\n    `;
  return { text: `${head}${body}\n}\n`, at: head.length };
}

const inFolder = (path: string, name: string) => `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;

/** Methods that stand alone under their name and code: of others nobody knows which one moved. */
function canMove({ outline, text }: Subject, { kind, name, parent, span, body }: Declaration): boolean {
  const siblings = outline.declarations.filter(one => one.kind === 'method' && one.name === name);
  const isInterface = outline.declarations[parent]?.kind === 'interface';
  return (
    kind === 'method' &&
    siblings.length === 1 &&
    !isInterface &&
    body !== null &&
    text.slice(span.start, span.end) !== ''
  );
}

/** The class that every folder has, to move methods to. */
export const NEIGHBOUR = 'Neighbour.java';

export function neighbourText(subject: Subject): string {
  return classAround(subject, 'Neighbour', 'int of(int value) {\n        return value * 31 + count;\n    }').text;
}

export const fileOperators: Readonly<Record<string, FileOperator>> = {
  'rename the file': (subject, member, path) => {
    const opened = path.replace(/\.java$/, 'Renamed.java');
    const files = new Map([
      [path, null],
      [opened, subject.text],
    ]);
    return { files, opened, state: 'unchanged', at: member.span.start };
  },
  'move the file': (subject, member, path) => {
    const opened = `elsewhere/${path}`;
    const files = new Map([
      [path, null],
      [opened, subject.text],
    ]);
    return { files, opened, state: 'unchanged', at: member.span.start };
  },
  'move to a new file': (subject, member, path) => {
    if (!canMove(subject, member)) return null;
    const { start, end } = member.span;
    const opened = inFolder(path, 'Elsewhere.java');
    const { text, at } = classAround(subject, 'Elsewhere', subject.text.slice(start, end));
    const files = new Map([
      [path, subject.text.slice(0, start) + subject.text.slice(end)],
      [opened, text],
    ]);
    return { files, opened, state: 'moved', at };
  },
  'move to another class': (subject, member, path) => {
    if (!canMove(subject, member)) return null;
    const { start, end } = member.span;
    const opened = inFolder(path, NEIGHBOUR);
    const before = neighbourText(subject);
    const at = before.lastIndexOf('}');
    const files = new Map([
      [path, subject.text.slice(0, start) + subject.text.slice(end)],
      [opened, `${before.slice(0, at)}\n${subject.text.slice(start, end)}\n${before.slice(at)}`],
    ]);
    return { files, opened, state: 'moved', at: at + 1 };
  },
  'move and rename': (subject, member, path) => {
    if (!canMove(subject, member) || member.span.end - member.span.start < 200) return null;
    const { start, end } = member.span;
    const name = member.nameSpan;
    const isRecursive = subject.outline.callSites.some(
      site => site.declaration === member.row && site.name === member.name,
    );
    if (isRecursive) return null;
    const opened = inFolder(path, 'Elsewhere.java');
    const moved = `${subject.text.slice(start, name.start)}${member.name}Renamed${subject.text.slice(name.end, end)}`;
    const { text, at } = classAround(subject, 'Elsewhere', moved);
    const files = new Map([
      [path, subject.text.slice(0, start) + subject.text.slice(end)],
      [opened, text],
    ]);
    return { files, opened, state: 'renamed', at };
  },
  'copy to another class': (subject, member, path) => {
    if (!canMove(subject, member)) return null;
    const opened = inFolder(path, 'Elsewhere.java');
    const { text, at } = classAround(subject, 'Elsewhere', subject.text.slice(member.span.start, member.span.end));
    return { files: new Map([[opened, text]]), opened, state: 'new', at };
  },
  'extract to another class': (subject, member, path) => {
    if (!canMove(subject, member) || member.body === null) return null;
    const { text: before } = subject;
    const { start, end } = member.body;
    const call = `{ Elsewhere.extracted(this); }`;
    const opened = inFolder(path, 'Elsewhere.java');
    const { text, at } = classAround(subject, 'Elsewhere', `void extracted(Object self) ${before.slice(start, end)}`);
    const files = new Map([
      [path, before.slice(0, start) + call + before.slice(end)],
      [opened, text],
    ]);
    return { files, opened, state: 'new', at };
  },
};
