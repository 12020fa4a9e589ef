// Outlines as readable lines, for tests that compare them with what is expected.
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';

/** One line a declaration, indented by depth: `kind name(types) binaryName @lines`. */
export function declarationLines(outline: Outline): string[] {
  const depths: number[] = [];
  return outline.declarations.map(({ row, parent, kind, name, parameters, type, binaryName, lines }) => {
    depths[row] = parent < 0 ? 0 : depths[parent]! + 1;
    const result = type === null ? '' : ` : ${type.name}${'[]'.repeat(type.dimensions)}`;
    const list = parameters.map(p =>
      p.type === null ? p.name : `${p.type.name}${'[]'.repeat(p.type.dimensions)} ${p.name}`,
    );
    const shown = list.length > 0 ? `(${list.join(', ')})` : '';
    const label = [kind, `${name}${shown}${result}`, binaryName].filter(part => part !== '').join(' ');
    return `${'  '.repeat(depths[row]!)}${label} @${lines.map(([a, b]) => (a === b ? a : `${a}-${b}`)).join(',')}`;
  });
}

/** One line a call site: `owner: kind name/arguments @line`. */
export function callLines(text: string): string[] {
  const outline = outlineOf(text);
  return outline.callSites.map(site => {
    const owner = outline.declarations[site.declaration];
    const name = site.construct ?? `${site.name}/${site.argumentCount}`;
    return `${owner?.name || owner?.kind}: ${site.kind} ${name} @${site.line}`;
  });
}

/** The declarations of some members of a class `A`, without the class. */
export function membersOf(members: string): string[] {
  const outline = outlineOf(`class A {\n${members}\n}`);
  return [
    ...outline.problems.map(problem => `! ${problem.message}`),
    ...declarationLines(outline)
      .slice(1)
      .map(line => line.slice(2)),
  ];
}

/** The calls in the body of a method `m`, explicit and implicit. */
export function callsOf(statements: string): string[] {
  return callLines(`class A { void m() {\n${statements}\n} }`);
}
