// Where orders wait for a processor.
package com.acme.shop.queue;

/**
 * A bounded queue for several producers and consumers.
 *
 * @param <T> what waits
 */
public interface OrderQueue<T extends Comparable<? super T>> {
    /** Waits for room, then adds. */
    void put(T item) throws InterruptedException;

    /** Waits at most the given time for an item; null when none came. */
    T poll(long millis) throws InterruptedException;

    /** Number of waiting items, at some moment not long ago. */
    int size();

    /** Puts several items one after another. */
    default void putAll(Iterable<? extends T> items) throws InterruptedException {
        for (T item : items) {
            put(item);
        }
    }
}
