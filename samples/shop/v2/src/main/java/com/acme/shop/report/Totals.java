// The totals of orders and where most of them lie.
package com.acme.shop.report;

import com.acme.shop.model.Order;
import java.util.Arrays;

/** Keeps every total, so that medians are exact. */
final class Totals extends Aggregator<Order, double[]> {
    private double[] values = new double[64];
    private int size;

    @Override
    public void accept(Order order) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = order.total().cents() / 100.0;
    }

    /** The tenth, fifth and ninth decile. */
    @Override
    public double[] result() {
        if (size == 0) {
            return new double[3];
        }
        return new double[] {
            nth(0, size - 1, size / 10),
            nth(0, size - 1, size / 2),
            nth(0, size - 1, size * 9 / 10),
        };
    }

    /** The value that would stand at a place if all were sorted. */
    private double nth(int low, int high, int place) {
        if (low == high) {
            return values[low];
        }
        int middle = partition(low, high);
        return place <= middle ? nth(low, middle, place) : nth(middle + 1, high, place);
    }

    private int partition(int low, int high) {
        double pivot = values[(low + high) >>> 1];
        int left = low - 1;
        int right = high + 1;
        while (true) {
            do {
                left++;
            } while (values[left] < pivot);
            do {
                right--;
            } while (values[right] > pivot);
            if (left >= right) {
                return right;
            }
            double kept = values[left];
            values[left] = values[right];
            values[right] = kept;
        }
    }
}
