// The fingerprints of a source file's members; and a text with all that is known of the profiled text.
import { createHash } from 'node:crypto';
import { codeTokens } from '../../../grammar/lexer.ts';
import { lineStartsOf } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { SourceFile, SourceMember } from '../../snapshot/source-section.ts';
import { lineOf } from '../observed-lines.ts';
import { isType } from '../outline-index.ts';
import { SourceText, signatureKey } from './source-text.ts';

const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['class', 'class'],
  ['interface', 'interface'],
  ['enum', 'enum'],
  ['record', 'record'],
  ['annotation', '@interface'],
]);

/** A member of a text with what it is told by. */
type Member = Omit<SourceMember, 'parent'> & { readonly row: number; readonly parentRow: number };

/** Fingerprints of the types and members of a text; declarations in code belong to the code around them. */
export function fingerprintsOf(text: string, file: string): SourceFile {
  const members = membersOf(text, outlineOf(text, file));
  const rowOf = new Map(members.map(({ row }, at) => [row, at]));
  return {
    members: members.map(({ row: _, parentRow, ...member }) => ({ ...member, parent: rowOf.get(parentRow) ?? -1 })),
  };
}

function membersOf(text: string, outline: Outline): Member[] {
  const source = new SourceText(text, outline);
  const isMember = (declaration: Declaration) => !declaration.local && isOutside(outline, declaration);
  return outline.declarations.filter(isMember).map(declaration => {
    const { row, parent, kind, name, span, binaryName } = declaration;
    const typed = isType(declaration);
    return {
      row,
      parentRow: parent,
      kind,
      name,
      signature: typed ? binaryName : signatureKey(declaration, NONE),
      firstLine: lineOf(outline, span.start),
      lastLine: lineOf(outline, Math.max(span.start, span.end - 1)),
      text: typed ? '' : hashOf(source.slice(row).replace(/\r\n?/g, '\n')),
      code: typed ? '' : hashOf(source.form(row).key),
    };
  });
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Whether it stands in types alone, not in code. */
function isOutside({ declarations }: Outline, declaration: Declaration): boolean {
  if (declaration.kind === 'lambda' || declaration.kind === 'anonymousClass') return false;
  for (let at = declarations[declaration.parent]; at !== undefined; at = declarations[at.parent])
    if (!isType(at) || at.kind === 'anonymousClass' || at.local) return false;
  return true;
}

/** 48 bits: of 20,000 members two in a million million are taken for another. */
function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 8);
}

/**
 * A text that stands for the profiled one as far as `recorded` tells: a member that is the same in the current text stands, word by word,
 * where it was recorded; one that has the same code in another layout stands in one line, so that nothing is known of its other
 * lines; one that is another now, or gone, has a body that nothing equals. null where they do not fit together.
 */
export function standInText(recorded: SourceFile, text: string, outline: Outline): string | null {
  const writer = new StandIn(recorded, text, outline);
  const made = writer.write();
  const check = membersOf(made, outlineOf(made, outline.file));
  // The text has to read as the recorded one: each member in its place, in its order.
  const fits = recorded.members.every((member, at) => {
    const found = check[at];
    const isThere = found?.kind === member.kind && found.name === member.name && found.signature === member.signature;
    return isThere && (found.text !== member.text || found.firstLine === member.firstLine);
  });
  return fits && check.length === recorded.members.length ? made : null;
}

class StandIn {
  readonly #recorded: SourceFile;
  readonly #text: string;
  readonly #outline: Outline;
  readonly #source: SourceText;
  readonly #byText: ReadonlyMap<string, readonly Member[]>;
  readonly #byCode: ReadonlyMap<string, readonly Member[]>;
  readonly #bySignature: ReadonlyMap<string, Member>;
  readonly #parts: string[] = [];
  #line = 1;

  constructor(recorded: SourceFile, text: string, outline: Outline) {
    this.#recorded = recorded;
    this.#text = text;
    this.#outline = outline;
    this.#source = new SourceText(text, outline);
    const members = membersOf(text, outline);
    const code = members.filter(member => member.text !== '');
    this.#byText = Map.groupBy(code, member => member.text);
    this.#byCode = Map.groupBy(code, member => member.code);
    const rows = new Map(members.map(member => [member.row, member]));
    const named = members.map(member => [keyOf(member, rows.get(member.parentRow)?.signature ?? ''), member] as const);
    this.#bySignature = new Map(named);
  }

  write(): string {
    // On one line, above everything: only names are looked up there.
    const first = this.#outline.declarations.find(({ parent }) => parent < 0);
    this.#put(inOneLine(this.#text.slice(0, first?.span.start ?? 0)));
    this.#children(-1);
    return this.#parts.join('');
  }

  #children(parent: number): void {
    const { members } = this.#recorded;
    const children = members.flatMap((member, at) => (member.parent === parent ? [at] : []));
    const constants = children.filter(at => members[at]!.kind === 'enumConstant').length;
    children.forEach((at, number) => {
      const member = members[at]!;
      this.#moveTo(member.firstLine);
      if (KEYWORDS.has(member.kind)) this.#type(member, at);
      else this.#member(member, parent);
      if (member.kind === 'enumConstant') this.#put(number + 1 < constants ? ',' : ';');
    });
    if (constants === 0 && parent >= 0 && members[parent]!.kind === 'enum') this.#put(';');
  }

  #type(member: SourceMember, at: number): void {
    const now = this.#bySignature.get(keyOf(member, ''));
    const declaration = now === undefined ? undefined : this.#outline.declarations[now.row];
    const head =
      declaration?.body == null
        ? `${KEYWORDS.get(member.kind)} ${member.name}${member.kind === 'record' ? '()' : ''} {`
        : inOneLine(this.#text.slice(declaration.span.start, declaration.body.start + 1));
    this.#put(head);
    this.#children(at);
    this.#moveTo(member.lastLine);
    this.#put('}');
  }

  #member(member: SourceMember, parent: number): void {
    const owner = parent < 0 ? '' : (this.#recorded.members[parent]?.signature ?? '');
    const own = this.#bySignature.get(keyOf(member, owner));
    const likely = (found: readonly Member[] | undefined) =>
      found?.find(each => each.row === own?.row) ?? (found?.length === 1 ? found[0] : undefined);
    const same = likely(this.#byText.get(member.text));
    // A member that another one has become is renamed or moved; its lines are known when not a letter is another.
    const alike = same ?? likely(this.#byCode.get(member.code));
    if (same !== undefined && same.name === member.name) this.#code(this.#whole(same), member);
    else this.#code(alike === undefined ? this.#stub(member, own) : this.#named(alike, member), member);
  }

  /** Text of a declaration; a field behind the comma of another gets a type of its own. */
  #whole({ row, kind }: Member): string {
    const { span, nameSpan } = this.#source.declaration(row);
    return `${kind === 'field' && span.start === nameSpan.start ? 'Object ' : ''}${this.#source.slice(row)}`;
  }

  /** A declaration's code, ended as it has to be, and the lines that it had. */
  #code(code: string, { kind, lastLine }: SourceMember): void {
    const isField = kind === 'field' && !/[;}]\s*$/.test(code);
    const body = isField ? `${code};` : code;
    const missing = lastLine - (this.#line + breaksIn(body));
    const end = body.endsWith('}') && missing > 0 ? `${body.slice(0, -1)}${'\n'.repeat(missing)}}` : body;
    this.#put(end);
  }

  /** The code in one line, under the name that was recorded. */
  #named({ row, name }: Member, member: SourceMember): string {
    const { span, nameSpan } = this.#source.declaration(row);
    const slice = this.#source.slice(row);
    if (name === member.name) return inOneLine(slice);
    const [start, end] = [nameSpan.start - span.start, nameSpan.end - span.start];
    return inOneLine(`${slice.slice(0, start)}${member.name}${slice.slice(end)}`);
  }

  /** The known facts of a member that is another now: its name and the types of its parameters. */
  #stub({ kind, name, signature, text }: SourceMember, own: Member | undefined): string {
    // The body has no call: no recorded call can be found in it.
    const body = `{ recorded = "${text}"; }`;
    const declaration = own === undefined ? undefined : this.#source.declaration(own.row);
    if (declaration?.body != null) {
      const head = this.#text.slice(declaration.span.start, declaration.body.start);
      return `${inOneLine(head)} ${kind === 'enumConstant' ? `{ { recorded = "${text}"; } }` : body}`;
    }
    if (kind === 'enumConstant') return name;
    if (kind === 'field') return `Object ${name} = "${text}";`;
    if (kind === 'staticInitializer') return `static ${body}`;
    if (kind === 'instanceInitializer') return body;
    const types = /\((.*)\)$/.exec(signature)?.[1] ?? '';
    const parameters = types === '' ? [] : types.split(',').map((type, at) => `${type} p${at}`);
    const list = kind === 'compactConstructor' ? '' : `(${parameters.join(', ')})`;
    return `${kind === 'method' ? 'void ' : ''}${name}${list} ${body}`;
  }

  #moveTo(line: number): void {
    this.#put(line > this.#line ? '\n'.repeat(line - this.#line) : ' ');
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#line += breaksIn(text);
  }
}

/** Names a member among all of a file; types have names of their own. */
function keyOf({ text, signature }: Pick<Member, 'text' | 'signature'>, owner: string): string {
  return text === '' ? signature : `${owner} ${signature}`;
}

/** The same tokens in one line, comments left out. */
function inOneLine(text: string): string {
  return codeTokens(text)
    .map(({ image }) => image)
    .join(' ');
}

function breaksIn(text: string): number {
  return lineStartsOf(text).length - 1;
}
