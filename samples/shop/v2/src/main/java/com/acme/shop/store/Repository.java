// Keeps things under their keys.
package com.acme.shop.store;

import com.acme.shop.model.Identified;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A collection by key that several threads may use.
 *
 * @param <K> type of the key
 * @param <V> type of what is kept
 */
public interface Repository<K extends Comparable<K>, V extends Identified<K>> {
    /** Keeps a thing, in place of one with the same key. */
    void save(V value);

    /** The thing with a key. */
    Optional<V> find(K key);

    /** Shows every thing whose key lies in a range to a visitor, ascending. */
    void scan(K from, K to, Consumer<? super V> visitor);

    int size();
}
