// Changes the text of a query by call paths: takes elements out, and puts completed names in.

type Span = { readonly from: number; readonly to: number };

/** The query without one element of its path. Calls lead from the element before to the one behind, however many. */
export function withoutElement(query: string, elements: readonly Span[], at: number): string {
  const { from, to } = elements[at] ?? { from: 0, to: 0 };
  const next = elements[at + 1];
  const before = query.slice(0, from).trimEnd();
  const behind = query.slice(to).trimStart();
  const isJoined = next !== undefined && at > 0 && !behind.startsWith('..');
  const rest = `${before === '' ? '' : `${before} `}${isJoined ? '..' : ''}${behind}`.trim();
  return rest === '' || elements.length === 1 ? '*' : rest;
}

/** The query with a name in place of what was typed, and where the cursor then stands. */
export function withName(
  query: string,
  { from, to }: Span,
  name: string,
): { readonly query: string; readonly at: number } {
  return { query: `${query.slice(0, from)}${name}${query.slice(to)}`, at: from + name.length };
}
