// Somebody who buys, with the history that decides about discounts.
package com.acme.shop.model;

import java.util.List;

/** A customer and the totals of past orders. */
public record Customer(Integer id, String name, List<Money> history) implements Identified<Integer> {
    public Customer {
        history = List.copyOf(history);
    }

    /** Loyalty from 0 to 9: recent money counts more than old money. */
    public int loyalty() {
        return Loyalty.loyaltyOf(history);
    }
}
