// Checks answers of the server against the protocol's types: what is missing, of another type, out of order or not of the protocol at all.

/** Tells what is wrong with a value, each with its path; nothing when all is well. */
export type Shape = (value: unknown, path: string) => string[];

const wrong = (path: string, wanted: string, value: unknown): string[] => [
  `${path} is no ${wanted}: ${JSON.stringify(value)}`,
];

const text: Shape = (value, path) => (typeof value === 'string' ? [] : wrong(path, 'text', value));
const filled: Shape = (value, path) =>
  typeof value === 'string' && value !== '' ? [] : wrong(path, 'filled text', value);
const flag: Shape = (value, path) => (typeof value === 'boolean' ? [] : wrong(path, 'boolean', value));
const anything: Shape = () => [];
const unsigned: Shape = (value, path) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31
    ? []
    : wrong(path, 'unsigned integer', value);
const uri: Shape = (value, path) =>
  typeof value === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(value) ? [] : wrong(path, 'URI', value);

function oneOf(...values: readonly unknown[]): Shape {
  return (value, path) => (values.includes(value) ? [] : wrong(path, `one of ${values.join(', ')}`, value));
}

function range1to(most: number): Shape {
  return (value, path) =>
    (Number(value) >= 1 ? unsigned(value, path) : wrong(path, '1 or more', value)).concat(
      Number(value) > most ? wrong(path, `at most ${most}`, value) : [],
    );
}

function list(of: Shape, least = 0): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return wrong(path, 'list', value);
    const short = value.length < least ? wrong(path, `list of at least ${least}`, value) : [];
    return [...short, ...value.flatMap((each, i) => of(each, `${path}[${i}]`))];
  };
}

function either(...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    const found = shapes.map(shape => shape(value, path));
    return found.find(problems => problems.length === 0) ?? found.flat();
  };
}

/** Keys that end in `?` may be absent; others than those named must not be there. */
function object(fields: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(path, 'object', value);
    const rest = new Map<string, unknown>(Object.entries(value));
    const problems: string[] = [];
    for (const [field, shape] of Object.entries(fields)) {
      const key = field.replace(/\?$/, '');
      if (rest.has(key)) problems.push(...shape(rest.get(key), `${path}.${key}`));
      else if (key === field) problems.push(`${path}.${key} is missing`);
      rest.delete(key);
    }
    for (const key of rest.keys()) problems.push(`${path}.${key} is not of the protocol`);
    return problems;
  };
}

export const position: Shape = object({ line: unsigned, character: unsigned });

export const range: Shape = (value, path) => {
  const problems = object({ start: position, end: position })(value, path);
  if (problems.length > 0) return problems;
  const { start, end } = value as { readonly [K in 'start' | 'end']: { line: number; character: number } };
  const isOrdered = start.line < end.line || (start.line === end.line && start.character <= end.character);
  return isOrdered ? [] : wrong(path, 'range from start to end', value);
};

const markup: Shape = object({ kind: oneOf('plaintext', 'markdown'), value: filled });
const command: Shape = object({ title: filled, command: filled, 'arguments?': list(anything) });

export const location: Shape = object({ uri, range });

export const hover: Shape = object({ contents: markup, 'range?': range });

const labelPart: Shape = object({
  value: filled,
  'tooltip?': either(filled, markup),
  'location?': location,
  'command?': command,
});
export const inlayHint: Shape = object({
  position,
  label: either(filled, list(labelPart, 1)),
  'kind?': range1to(2),
  'textEdits?': list(anything),
  'tooltip?': either(filled, markup),
  'paddingLeft?': flag,
  'paddingRight?': flag,
  'data?': anything,
});

/** Answered complete: nothing is left to be resolved. */
export const codeLens: Shape = object({ range, command, 'data?': anything });

export const diagnostic: Shape = object({
  range,
  'severity?': range1to(4),
  'code?': either(text, unsigned),
  'codeDescription?': object({ href: uri }),
  'source?': filled,
  message: filled,
  'tags?': list(range1to(2)),
  'relatedInformation?': list(object({ location, message: filled })),
  'data?': anything,
});

export const callHierarchyItem: Shape = (value, path) => {
  const problems = object({
    name: filled,
    kind: range1to(26),
    'tags?': list(range1to(1)),
    'detail?': text,
    uri,
    range,
    selectionRange: range,
    'data?': anything,
  })(value, path);
  if (problems.length > 0) return problems;
  const { range: outer, selectionRange: inner } = value as { readonly range: Span; readonly selectionRange: Span };
  return contains(outer, inner) ? [] : wrong(path, 'name inside its range', value);
};

type Span = { readonly [K in 'start' | 'end']: { readonly line: number; readonly character: number } };

function contains(outer: Span, inner: Span): boolean {
  const before = (a: Span['start'], b: Span['start']) =>
    a.line < b.line || (a.line === b.line && a.character <= b.character);
  return before(outer.start, inner.start) && before(inner.end, outer.end);
}

export const incomingCall: Shape = object({ from: callHierarchyItem, fromRanges: list(range, 1) });
export const outgoingCall: Shape = object({ to: callHierarchyItem, fromRanges: list(range, 1) });

/** The flaws of an answer that is null or a list of `shape`. */
export function flawsOfList(shape: Shape, value: unknown): string[] {
  return value === null ? [] : list(shape)(value, 'answer');
}

/** The flaws of a single answer. */
export function flawsOf(shape: Shape, value: unknown): string[] {
  return shape(value, 'answer');
}
