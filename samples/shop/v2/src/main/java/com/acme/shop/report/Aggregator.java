// Boils many things down to one result.
package com.acme.shop.report;

/**
 * Takes things one by one.
 *
 * @param <T> what is taken
 * @param <R> what comes out
 */
public abstract class Aggregator<T, R> {
    private int count;

    /** Takes one thing. */
    public abstract void accept(T item);

    /** What came out so far. */
    public abstract R result();

    /** Takes all. */
    public Aggregator<T, R> acceptAll(Iterable<? extends T> items) {
        for (T item : items) {
            accept(item);
            count++;
        }
        return this;
    }

    public int count() {
        return count;
    }
}
