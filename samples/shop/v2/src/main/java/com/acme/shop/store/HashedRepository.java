// A repository as a table of buckets, each with a monitor of its own.
package com.acme.shop.store;

import com.acme.shop.model.Identified;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Good for many writes by many threads. */
public final class HashedRepository<K extends Comparable<K>, V extends Identified<K>> extends AbstractRepository<K, V> {
    private final class Bucket {
        private final List<V> values = new ArrayList<>();

        private synchronized void set(K key, V value) {
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i).id().equals(key)) {
                    values.set(i, value);
                    return;
                }
            }
            values.add(value);
            added();
        }

        private synchronized V get(K key) {
            for (V value : values) {
                if (value.id().equals(key)) {
                    return value;
                }
            }
            return null;
        }

        private synchronized void copyInto(List<V> target) {
            target.addAll(values);
        }
    }

    private final List<Bucket> buckets = new ArrayList<>();
    private volatile int size;

    public HashedRepository(int bucketCount) {
        for (int i = 0; i < bucketCount; i++) {
            buckets.add(new Bucket());
        }
    }

    @Override
    protected void store(K key, V value) {
        bucket(key).set(key, value);
    }

    @Override
    protected V lookUp(K key) {
        return bucket(key).get(key);
    }

    @Override
    public void scan(K from, K to, Consumer<? super V> visitor) {
        List<V> all = new ArrayList<>();
        buckets.forEach(bucket -> bucket.copyInto(all));
        all.removeIf(value -> value.id().compareTo(from) < 0 || value.id().compareTo(to) > 0);
        all.sort((left, right) -> left.id().compareTo(right.id()));
        all.forEach(visitor);
    }

    @Override
    public int size() {
        return size;
    }

    private synchronized void added() {
        size++;
    }

    private Bucket bucket(K key) {
        return buckets.get(Math.floorMod(key.hashCode(), buckets.size()));
    }
}
