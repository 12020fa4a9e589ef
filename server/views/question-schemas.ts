// The questions of the page of pictures, as schemas: the schemas check input from outside, and the types of page and server follow from them.
//
// The page imports types alone: its bundle has no schemas. The build writes the types of the package from the schemas (`.ci/package-types.ts`).

import * as v from 'valibot';
import { lookSchema } from '../model/look-schema.ts';
import { SCALINGS } from './view-terms.ts';

/** More characters or entries than these are no honest wish. */
const LONGEST_NAME = 1_000;
const MOST_ENTRIES = 1_000;
const MOST_STATES = 500;
const MOST_STEPS = 10_000;
const MOST_ROWS = 100_000;
const MOST_BOXES = 20_000;
const MOST_PIXELS = 20_000;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_NAME));
const natural = integer(0, Number.MAX_SAFE_INTEGER);
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
export const methodKey = v.pipe(v.string(), v.regex(/^[\w-]{8}$/, 'the key of a method'));

function integer(least: number, most: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
}

function list<const S extends v.GenericSchema>(entry: S, most: number) {
  return v.pipe(v.array(entry), v.maxLength(most), v.readonly());
}

/** The first is below the second, which no schema says. */
function pair<const S extends v.GenericSchema>(limit: S) {
  return v.pipe(v.strictTuple([limit, limit]), v.readonly());
}

/** A field with its meaning. */
function field<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

function question<const Ask extends string, const E extends v.ObjectEntries>(ask: Ask, meaning: string, entries: E) {
  const source = field(name, 'Key of one of `State.sources`; absent: the one that the page was opened beside.');
  return v.pipe(
    v.strictObject({ ask: v.literal(ask), source: v.exactOptional(source), ...entries }),
    v.description(meaning),
  );
}

const search = field(
  name,
  'Letters in class and name, in any case unless one of them is a capital; an expression where it stands between slashes: `/Shop\\.(search|find)/`.',
);

const state = question(
  'state',
  'Which data there are; with the revision that the page has, it is answered `{ "same": true }` while nothing is newer.',
  { revision: v.exactOptional(name) },
);
export type AskState = v.InferOutput<typeof state>;

const step = v.pipe(
  v.string(),
  v.regex(/^([\w-]{8}|@[\da-z]{1,11})$/, 'the key of a method, or the anchor of a call path'),
);

/** The part of the tree that is looked at, and how. */
const PART = {
  look: lookSchema,
  direction: field(v.picklist(['down', 'up']), '`down`: callees of everything, or of a method. `up`: callers.'),
  of: field(
    v.nullable(methodKey),
    'All occurrences of this method as one, the outermost of recursion; null for everything.',
  ),
  root: field(
    list(step, MOST_STEPS),
    'From there on the methods that lead to the root of the picture. The first step may be an anchor, which stands for a whole call path: `@` and 53 bits of its id (all of the first number, 21 of the second) to base 36. Answers have one where there are over 1,000 steps.',
  ),
  operations: v.strictObject({
    recursion: field(
      v.boolean(),
      'A method that calls itself, directly or through others, is one part with its outermost call.',
    ),
    aggregate: field(v.boolean(), 'Calling contexts are dropped: each method once, by its own time.'),
    library: field(v.boolean(), 'What libraries call in libraries is part of their outermost call.'),
  }),
};

const picture = question('picture', 'A part of the tree, laid out.', {
  ...PART,
  form: field(
    v.picklist(['metric', 'equal']),
    'Width of a part: its share of its caller, or the same for all callees of one caller.',
  ),
  order: field(
    v.union([v.literal('weight'), v.literal('name'), v.strictObject({ kept: name })]),
    'Of siblings: heaviest first, by name, or as they were first seen by the page of this name, new ones last.',
  ),
  window: field(pair(share), "The part of the root's width that is looked at, of [0, 1]."),
  rows: field(pair(integer(0, MOST_ROWS)), 'First row and the one behind the last; the root is row 0.'),
  least: field(
    list(share, MOST_ENTRIES),
    'Per row from the first one on, the last for all further: narrower parts, as a share of the window, are cut.',
  ),
  most: field(integer(1, MOST_BOXES), 'At most so many boxes; `least` is doubled until they fit. At most 20,000.'),
  search: field(v.nullable(search), 'Marks methods whose name fits.'),
  baseline: field(v.boolean(), 'Adds the columns of the baseline.'),
});
export type AskPicture = v.InferOutput<typeof picture>;

const tracks = question(
  'tracks',
  'What each thread did over time. Of processor time the time types of the threads, where they were recorded; else the packages whose code ran.',
  {
    look: lookSchema,
    of: field(v.nullable(methodKey), 'Only samples of this method; null for everything.'),
    unfolded: field(
      list(pair(v.pipe(v.string(), v.maxLength(LONGEST_NAME))), MOST_ENTRIES),
      'Groups whose single threads are rows too: `group` and `name` of each.',
    ),
    rows: field(pair(integer(0, MOST_ROWS)), 'First row whose cells are told and the one behind the last.'),
    span: field(pair(share), 'The part of all time whose cells are told, of [0, 1].'),
    pixels: field(
      integer(1, MOST_PIXELS),
      'Width of the span: windows that begin in the same pixel and end in the same one are joined.',
    ),
  },
);
export type AskTracks = v.InferOutput<typeof tracks>;

const answer = question(
  'answer',
  'An answer of the table by its name, with the same parameters as in editors, in the terminal and for agents; see docs/lsp-extensions.md. `program`, `version` and `instances` of the parameters may name other data than the page shows; such data are loaded. Absent choices are what hints show.',
  { answer: name, parameters: v.record(v.string(), v.unknown()) },
);
export type AskAnswer = v.InferOutput<typeof answer>;

const states = question('states', 'What became of the code of methods since it was recorded; at most 500 of them.', {
  look: lookSchema,
  of: v.pipe(v.array(methodKey), v.minLength(1), v.maxLength(MOST_STATES), v.readonly()),
});
export type AskStates = v.InferOutput<typeof states>;

const vanished = question(
  'vanished',
  'What the baseline has below the root of a picture, and the data have not.',
  PART,
);
export type AskVanished = v.InferOutput<typeof vanished>;

const blueprint = question(
  'blueprint',
  'Contexts of the data compared with those of the baseline; both trees are matched, so that a wrapper is no other tree.',
  {
    look: lookSchema,
    scaling: v.picklist(SCALINGS),
    tree: field(
      v.nullable(name),
      '`Blueprint.tree` of the answer that told `box`; null for the root, whichever data there are.',
    ),
    box: field(integer(0, 2 ** 31), 'Row of a box; the root is 0.'),
    show: field(
      v.picklist(['finding', 'children', 'below', 'path', 'way', 'method', 'widest']),
      '`finding`: from the root to the context of the first finding, and the delta hot path below it (without a finding the root alone), then best first, as the picture begins: always the box at or below which contexts differ most by themselves, until 60 are there or 95 % of that is. `children`: boxes below the box. `below`: everything below it, level by level. `path`: the box and the delta hot path below it, always to the child whose amount differs most. `way`: from the root to the box. `method`: from the root to the context of `of` that differs most by itself; nothing where it ran in neither version. `widest`: all that is there now from 0.1 % of everything on, which flames and rings are drawn from.',
    ),
    of: v.nullable(methodKey),
    from: field(natural, 'Of children, the first one. 50 children are answered at once, and 1,000 boxes at most.'),
  },
);
export type AskBlueprint = v.InferOutput<typeof blueprint>;

const hits = question('hits', 'What fits a search.', { look: lookSchema, search });
export type AskHits = v.InferOutput<typeof hits>;

const exported = question('export', 'Everything that is looked at, as a file of another program.', {
  look: lookSchema,
  format: v.picklist(['speedscope', 'pprof', 'collapsed']),
});
export type AskExport = v.InferOutput<typeof exported>;

const open = question('open', 'Shows a method in the editor.', { look: lookSchema, of: methodKey });
export type AskOpen = v.InferOutput<typeof open>;

const use = question(
  'use',
  'Makes the editor show what the page shows: its hints then have this metric, focus, path, threads and span, and the program, version and instances that the look names.',
  { look: lookSchema },
);
export type AskUse = v.InferOutput<typeof use>;

export const questionSchema = v.variant('ask', [
  state,
  picture,
  tracks,
  answer,
  states,
  vanished,
  blueprint,
  hits,
  exported,
  open,
  use,
]);
export type Question = v.InferOutput<typeof questionSchema>;
