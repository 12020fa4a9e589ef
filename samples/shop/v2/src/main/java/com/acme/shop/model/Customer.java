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
        return loyaltyOf(history);
    }

    private static int loyaltyOf(List<Money> history) {
        double score = 0;
        double fade = 1;
        for (Money spent : history) {
            score += Math.log1p(spent.cents()) * fade;
            fade *= 0.97;
        }
        return (int) Math.min(9, score / (history.size() + 1));
    }
}
