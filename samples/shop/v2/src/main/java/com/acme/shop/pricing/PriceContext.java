// What rules may know while they price one order.
package com.acme.shop.pricing;

import com.acme.shop.model.Category;
import com.acme.shop.model.Money;
import com.acme.shop.model.Order;

/** The order being priced, with a trace of what the rules did. */
public final class PriceContext {
    private final Order order;
    private final int loyalty;
    private int depth;
    private int deepest;
    private long trace = 17;

    public PriceContext(Order order) {
        this.order = order;
        this.loyalty = order.customer().loyalty();
    }

    public Order order() {
        return order;
    }

    public int loyalty() {
        return loyalty;
    }

    public int deepest() {
        return deepest;
    }

    public long trace() {
        return trace;
    }

    /** Applies a rule one level deeper and notes what it did. */
    public Money evaluate(PricingRule rule, Money price) {
        depth++;
        deepest = Math.max(deepest, depth);
        try {
            Money result = rule.apply(this, price);
            note(price.cents() - result.cents());
            return result;
        } finally {
            depth--;
        }
    }

    /** Number of pieces that belong to a department. */
    public int pieces(Category category) {
        int pieces = 0;
        for (Order.Line line : order.lines()) {
            if (line.product().category() == category) {
                pieces += line.quantity();
            }
        }
        return pieces;
    }

    private void note(long difference) {
        for (int shift = 0; shift < 32; shift += 4) {
            trace = trace * 31 + (difference >> shift & 15);
        }
    }
}
