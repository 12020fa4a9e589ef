// A repository as one sorted array behind a read-write lock.
package com.acme.shop.store;

import com.acme.shop.model.Identified;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/** Good for few writes and many ranges. */
public final class SortedRepository<K extends Comparable<K>, V extends Identified<K>> extends AbstractRepository<K, V> {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final int limit;
    private Object[] values = new Object[16];
    private int size;

    /** Keeps at most so many things and forgets the smallest keys. */
    public SortedRepository(int limit) {
        this.limit = limit;
    }

    @Override
    protected void store(K key, V value) {
        Lock write = lock.writeLock();
        write.lock();
        try {
            int place = search(key);
            if (place >= 0) {
                values[place] = value;
                return;
            }
            insert(-place - 1, value);
            if (size > limit) {
                forget(limit / 8);
            }
        } finally {
            write.unlock();
        }
    }

    @Override
    protected V lookUp(K key) {
        Lock read = lock.readLock();
        read.lock();
        try {
            int place = search(key);
            return place < 0 ? null : at(place);
        } finally {
            read.unlock();
        }
    }

    @Override
    public void scan(K from, K to, Consumer<? super V> visitor) {
        Lock read = lock.readLock();
        read.lock();
        try {
            int place = search(from);
            for (int i = place < 0 ? -place - 1 : place; i < size; i++) {
                V value = at(i);
                if (value.id().compareTo(to) > 0) {
                    return;
                }
                visitor.accept(value);
            }
        } finally {
            read.unlock();
        }
    }

    @Override
    public int size() {
        return size;
    }

    private int search(K key) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = at(middle).id().compareTo(key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    private void insert(int place, V value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        System.arraycopy(values, place, values, place + 1, size - place);
        values[place] = value;
        size++;
    }

    private void forget(int count) {
        System.arraycopy(values, count, values, 0, size - count);
        Arrays.fill(values, size - count, size, null);
        size -= count;
    }

    @SuppressWarnings("unchecked")
    private V at(int place) {
        return (V) values[place];
    }
}
