// A first-in first-out queue on a ring of slots, with one lock for each end.
package com.acme.shop.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Producers and consumers hardly meet: each end has its own lock.
 *
 * @param <T> what waits
 */
public final class RingQueue<T extends Comparable<? super T>> implements OrderQueue<T> {
    private final Object[] slots;
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock putLock = new ReentrantLock();
    private final ReentrantLock takeLock = new ReentrantLock();
    private final Condition notFull = putLock.newCondition();
    private final Condition notEmpty = takeLock.newCondition();
    private int head;
    private int tail;

    public RingQueue(int capacity) {
        this.slots = new Object[capacity];
    }

    @Override
    public void put(T item) throws InterruptedException {
        putLock.lockInterruptibly();
        try {
            while (count.get() == slots.length) {
                notFull.await(5, TimeUnit.MILLISECONDS);
            }
            slots[tail] = item;
            tail = next(tail);
        } finally {
            putLock.unlock();
        }
        if (count.getAndIncrement() == 0) {
            signal(takeLock, notEmpty);
        }
    }

    @Override
    public T poll(long millis) throws InterruptedException {
        T item;
        takeLock.lockInterruptibly();
        try {
            if (count.get() == 0) {
                notEmpty.await(millis, TimeUnit.MILLISECONDS);
            }
            if (count.get() == 0) {
                return null;
            }
            @SuppressWarnings("unchecked")
            T first = (T) slots[head];
            item = first;
            slots[head] = null;
            head = next(head);
        } finally {
            takeLock.unlock();
        }
        if (count.getAndDecrement() == slots.length) {
            signal(putLock, notFull);
        }
        return item;
    }

    @Override
    public int size() {
        return count.get();
    }

    private int next(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    private static void signal(ReentrantLock lock, Condition condition) {
        lock.lock();
        try {
            condition.signal();
        } finally {
            lock.unlock();
        }
    }
}
