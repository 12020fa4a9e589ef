// How loyal somebody is, worked out from what was spent.
package com.acme.shop.model;

import java.util.List;

/** Loyalty as a number. */
final class Loyalty {
    private Loyalty() {
    }

    static int loyaltyOf(List<Money> history) {
        double score = 0;
        double fade = 1;
        for (Money spent : history) {
            score += Math.log1p(spent.cents()) * fade;
            fade *= 0.97;
        }
        return (int) Math.min(9, score / (history.size() + 1));
    }
}
