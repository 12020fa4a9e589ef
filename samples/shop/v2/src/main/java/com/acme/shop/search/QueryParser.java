// Reads queries such as {@code (garden | kitchen) -hose* rob~}.
package com.acme.shop.search;

/** Recursive descent: alternatives hold sequences, sequences hold parts, parts hold alternatives in parentheses. */
public final class QueryParser {
    private final String text;
    private int position;

    private QueryParser(String text) {
        this.text = text;
    }

    /** The query that a text stands for. */
    public static Query parse(String text) throws QuerySyntaxException {
        QueryParser parser = new QueryParser(text);
        Query query = parser.alternatives();
        if (parser.position < text.length()) {
            throw new QuerySyntaxException("unexpected '" + parser.current() + "'", parser.position);
        }
        return query;
    }

    private Query alternatives() throws QuerySyntaxException {
        Query query = sequence();
        while (current() == '|') {
            position++;
            query = new Query.Or(query, sequence());
        }
        return query;
    }

    private Query sequence() throws QuerySyntaxException {
        Query query = part();
        skipSpace();
        while (current() != '|' && current() != ')' && current() != '\0') {
            if (current() == '-') {
                position++;
                query = new Query.Without(query, part());
            } else {
                query = new Query.And(query, part());
            }
            skipSpace();
        }
        return query;
    }

    private Query part() throws QuerySyntaxException {
        skipSpace();
        if (current() == '(') {
            position++;
            Query inner = alternatives();
            if (current() != ')') {
                throw new QuerySyntaxException("missing ')'", position);
            }
            position++;
            return inner;
        }
        return word();
    }

    private Query word() throws QuerySyntaxException {
        int start = position;
        while (Character.isLetterOrDigit(current())) {
            position++;
        }
        if (start == position) {
            throw new QuerySyntaxException("missing word", position);
        }
        String word = text.substring(start, position);
        return switch (current()) {
            case '*' -> {
                position++;
                yield new Query.Prefix(word);
            }
            case '~' -> {
                position++;
                yield new Query.Near(word);
            }
            default -> new Query.Word(Stemmer.stem(word));
        };
    }

    private void skipSpace() {
        while (current() == ' ') {
            position++;
        }
    }

    private char current() {
        return position < text.length() ? text.charAt(position) : '\0';
    }
}
