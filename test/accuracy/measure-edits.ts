// Deletes or doubles one random line of a file and counts the members elsewhere that an outline of the rest still has.
import type { Declaration, Outline } from '../../grammar/outline.ts';
import { lineOf } from '../../server/mapping/observed-lines.ts';
import type { Tally } from './tally.ts';

/** One edit of each kind; `read` makes the outline that is to be judged. */
export function measureEdits(
  path: string,
  text: string,
  whole: Outline,
  read: (text: string) => Outline,
  random: () => number,
  tally: Tally,
): void {
  const lines = text.split('\n');
  for (const edit of ['deleted', 'doubled'] as const) {
    const at = Math.floor(random() * lines.length);
    const edited = edit === 'deleted' ? lines.toSpliced(at, 1) : lines.toSpliced(at, 0, lines[at]!);
    const left = countMembers(read(edited.join('\n')), null);
    for (const [member, count] of countMembers(whole, at + 1)) {
      const found = Math.min(count, left.get(member) ?? 0);
      for (let i = 0; i < count; i++) {
        tally.add(
          i < found ? 'right' : 'missing',
          `line ${edit}`,
          () => `${path}:${at + 1} ${lines[at]!.trim()} ⇒ ${member}`,
        );
      }
    }
  }
}

/** Methods and constructors by innermost named type, name and parameters, without the ones that hold the line. */
function countMembers(outline: Outline, without: number | null): Map<string, number> {
  const members = new Map<string, number>();
  for (const member of outline.declarations) {
    if (member.kind !== 'method' && member.kind !== 'constructor') continue;
    if (without !== null && holdsLine(outline, member, without)) continue;
    const parameters = member.parameters.map(({ type, name }) => `${type?.name} ${name}`).join(', ');
    const key = `${namedType(outline, member)}.${member.name}(${parameters})`;
    members.set(key, (members.get(key) ?? 0) + 1);
  }
  return members;
}

function holdsLine(outline: Outline, { span }: Declaration, line: number): boolean {
  return line >= lineOf(outline, span.start) && line <= lineOf(outline, span.end - 1);
}

function namedType(outline: Outline, member: Declaration): string {
  let row = member.parent;
  while (row >= 0 && (outline.declarations[row]!.binaryName === '' || outline.declarations[row]!.name === '')) {
    row = outline.declarations[row]!.parent;
  }
  return outline.declarations[row]?.name ?? '';
}
