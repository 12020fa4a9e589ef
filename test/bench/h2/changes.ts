// The changes of the trial in H2, each in a commit of its own: slowdowns of known size, and changes that cost nothing.

/** Replaces the text of a file below `org/h2`. */
type EditFile = (file: string, edit: (text: string) => string) => void;

export type Change = {
  /** The subject of its commit. */
  readonly name: string;
  readonly apply: (edit: EditFile) => void;
};

export type Slowdown = Change & {
  /** It costs about so many hundredths of everything before, by the processor time of the thread. */
  readonly points: number;
  /** The method that does more, and the one that was added. */
  readonly methods: readonly string[];
};

/** The text around a part that is there exactly once. */
function around(text: string, part: string): readonly [before: string, after: string] {
  const parts = text.split(part);
  if (parts.length !== 2) throw new Error(`"${part}" is there ${parts.length - 1} times`);
  return [parts[0]!, parts[1]!];
}

function replaced(part: string, by: string): (text: string) => string {
  return text => around(text, part).join(by);
}

/** The text without the part from `first` on to the next `last`, and that part with both. */
function cut(text: string, first: string, last: string): readonly [rest: string, part: string] {
  const [before, after] = around(text, first);
  const end = after.indexOf(last);
  if (end < 0) throw new Error(`"${last}" is not behind "${first}"`);
  return [before + after.slice(end + last.length), first + after.slice(0, end + last.length)];
}

const INSERT = '    public void add(SessionLocal session, Row row) {\n';

const CHECKSUM = `    /**
     * Calculate a checksum of all values of a row.
     *
     * @param row the row
     * @return the checksum
     */
    private static long checksum(Row row) {
        long sum = 0;
        for (int i = 0, len = row.getColumnCount(); i < len; i++) {
            String text = row.getValue(i).getString();
            for (int pass = 0; pass < CHECKSUM_PASSES; pass++) {
                for (int at = 0; at < text.length(); at++) {
                    sum = Long.rotateLeft(sum, 7) ^ (sum * 31 + text.charAt(at));
                }
            }
        }
        return sum;
    }

    @Override
`;

/** A new method that is called. */
const checksum: Slowdown = {
  name: 'Keep a checksum of inserted rows',
  points: 25,
  methods: ['org.h2.mvstore.db.MVPrimaryIndex.checksum', 'org.h2.mvstore.db.MVPrimaryIndex.add'],
  apply: edit =>
    edit('mvstore/db/MVPrimaryIndex.java', text => {
      const fields = '    private static final int CHECKSUM_PASSES = 85;\n    private long checksum;\n';
      const withFields = replaced(
        '    private final MVTable mvTable;\n',
        `${fields}    private final MVTable mvTable;\n`,
      )(text);
      return replaced(
        `    @Override\n${INSERT}`,
        `${CHECKSUM}${INSERT}        checksum += checksum(row);\n`,
      )(withFields);
    }),
};

/** More work in a hot method. */
const quotes: Slowdown = {
  name: 'Refuse statements that end inside of quotes at once',
  points: 6,
  methods: ['org.h2.command.Tokenizer.tokenize'],
  apply: edit =>
    edit(
      'command/Tokenizer.java',
      replaced(
        '        int lastParameter = 0;\n        loop: for (int i = 0; i <= end;) {\n',
        `        int lastParameter = 0;
        for (int from = 0; from <= end; from += 3) {
            int quotes = 0;
            for (int i = from; i <= end; i++) {
                char c = sql.charAt(i);
                if (c == '\\'' || c == '"') {
                    quotes++;
                }
            }
            if (from == 0 && (quotes & 1) != 0) {
                throw DbException.getSyntaxError(sql, end);
            }
        }
        loop: for (int i = 0; i <= end;) {
`,
      ),
    ),
};

/** A loop that runs more often: the comparison with a pattern begins at each place of a text. */
const like: Slowdown = {
  name: 'Match a pattern that begins with % from any place',
  points: 3,
  methods: ['org.h2.expression.condition.CompareLike.getValue', 'org.h2.expression.condition.CompareLike.compareAt'],
  apply: edit =>
    edit(
      'expression/condition/CompareLike.java',
      replaced(
        '            result = compareAt(value, 0, 0, value.length(), patternChars, patternTypes);\n',
        `            result = false;
            for (int from = patternTypes[0] == ANY ? value.length() : 0; !result && from >= 0; from--) {
                result = compareAt(value, 0, from, value.length(), patternChars, patternTypes);
            }
`,
      ),
    ),
};

const renamed: Change = {
  name: 'Call the check of a row what it is',
  apply: edit => edit('command/query/Select.java', text => text.replaceAll('isConditionMet(', 'isRowSelected(')),
};

const moved: Change = {
  name: 'Move the way down to the page where it begins',
  apply: edit => {
    let method = '';
    edit('mvstore/CursorPos.java', text => {
      const [rest, part] = cut(text, '    /**\n     * Searches for a given key', 'cursorPos);\n    }\n\n');
      method = part;
      return rest;
    });
    edit('mvstore/Page.java', text => {
      const [before, after] = around(text, '    /**\n     * Split the page. This modifies the current page.\n');
      return `${before}${method}    /**\n     * Split the page. This modifies the current page.\n${after}`;
    });
    for (const file of ['mvstore/MVMap.java', 'mvstore/Cursor.java'])
      edit(file, replaced('CursorPos.traverseDown(', 'Page.traverseDown('));
  },
};

/** The body of the loop of an iterator becomes a method of its own. */
const extracted: Change = {
  name: 'Extract what an iterator tells of one entry',
  apply: edit =>
    edit('mvstore/tx/TransactionMap.java', text => {
      const [before, after] = around(text, '    private static final class CommittedIterator<K,V,X> extends');
      const first = '                VersionedValue<?> data = cursor.getValue();\n';
      const last = '            }\n            return null;\n        }\n';
      const [from, to] = [after.indexOf(first), after.indexOf(last)];
      const body = after
        .slice(from + first.length, to)
        .replace('continue;', 'return null;')
        .replaceAll(/^ {4}/gm, '');
      const call = [
        '                X element = elementOf(key, cursor.getValue());',
        '                if (element != null) {',
        '                    return element;',
        '                }',
      ];
      const method = `
        private X elementOf(K key, VersionedValue<?> data) {
${body}            return null;
        }
`;
      const rest = after.slice(to + last.length);
      const head = `${before}    private static final class CommittedIterator<K,V,X> extends${after.slice(0, from)}`;
      return `${head}${call.join('\n')}\n${last}${method}${rest}`;
    }),
};

export const slowdowns: readonly Slowdown[] = [checksum, quotes, like];
export const CHANGES: readonly Change[] = [checksum, quotes, like, renamed, moved, extracted];
