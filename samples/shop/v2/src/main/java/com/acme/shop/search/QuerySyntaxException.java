// A query that cannot be read.
package com.acme.shop.search;

/** Says what is wrong and where. */
public final class QuerySyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final int position;

    public QuerySyntaxException(String message, int position) {
        super(message + " at " + position);
        this.position = position;
    }

    /** Offset into the query's text. */
    public int position() {
        return position;
    }
}
