// What all repositories share: counting and waiting for the lock.
package com.acme.shop.store;

import com.acme.shop.model.Identified;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Puts a counter before every access. */
abstract class AbstractRepository<K extends Comparable<K>, V extends Identified<K>> implements Repository<K, V> {
    private final LongAdder accesses = new LongAdder();

    /** Stores without counting. */
    protected abstract void store(K key, V value);

    /** Looks up without counting; null when there is none. */
    protected abstract V lookUp(K key);

    @Override
    public final void save(V value) {
        accesses.increment();
        store(value.id(), value);
    }

    @Override
    public final Optional<V> find(K key) {
        accesses.increment();
        return Optional.ofNullable(lookUp(key));
    }

    public final long accesses() {
        return accesses.sum();
    }
}
