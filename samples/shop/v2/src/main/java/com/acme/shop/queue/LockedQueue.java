// A queue that hands out the smallest item first; one lock guards a binary heap.
package com.acme.shop.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps its items in a heap under one monitor: simple, ordered, and contended.
 *
 * @param <T> what waits
 */
public final class LockedQueue<T extends Comparable<? super T>> implements OrderQueue<T> {
    private final int capacity;
    private final List<T> heap = new ArrayList<>();
    private long moves;

    public LockedQueue(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public synchronized void put(T item) throws InterruptedException {
        while (heap.size() >= capacity) {
            wait();
        }
        heap.add(item);
        siftUp(heap.size() - 1);
        verify();
        notifyAll();
    }

    @Override
    public synchronized T poll(long millis) throws InterruptedException {
        if (heap.isEmpty()) {
            wait(millis);
        }
        if (heap.isEmpty()) {
            return null;
        }
        T first = heap.get(0);
        T last = heap.remove(heap.size() - 1);
        if (!heap.isEmpty()) {
            heap.set(0, last);
            siftDown(0);
        }
        verify();
        notifyAll();
        return first;
    }

    @Override
    public synchronized int size() {
        return heap.size();
    }

    /** How often two items changed places. */
    public synchronized long moves() {
        return moves;
    }

    private void siftUp(int start) {
        int child = start;
        while (child > 0) {
            int parent = (child - 1) / 2;
            if (heap.get(child).compareTo(heap.get(parent)) >= 0) {
                return;
            }
            swap(child, parent);
            child = parent;
        }
    }

    private void siftDown(int start) {
        int parent = start;
        while (true) {
            int child = 2 * parent + 1;
            if (child >= heap.size()) {
                return;
            }
            if (child + 1 < heap.size() && heap.get(child + 1).compareTo(heap.get(child)) < 0) {
                child++;
            }
            if (heap.get(parent).compareTo(heap.get(child)) <= 0) {
                return;
            }
            swap(parent, child);
            parent = child;
        }
    }

    private void swap(int a, int b) {
        T kept = heap.get(a);
        heap.set(a, heap.get(b));
        heap.set(b, kept);
        moves++;
    }

    /** Looks over the whole heap while the lock is held, so that a broken order is found at once. */
    private void verify() {
        for (int child = 1; child < heap.size(); child++) {
            if (heap.get(child).compareTo(heap.get((child - 1) / 2)) < 0) {
                throw new IllegalStateException("heap order lost at " + child);
            }
        }
    }
}
