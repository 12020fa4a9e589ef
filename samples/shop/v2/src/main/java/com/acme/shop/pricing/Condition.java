// What a conditional rule asks about an order.
package com.acme.shop.pricing;

import com.acme.shop.model.Category;
import com.acme.shop.model.Money;
import com.acme.shop.model.Order;

/** A question with a number to compare with. */
public enum Condition {
    BIG {
        @Override
        boolean holds(PriceContext context, int limit) {
            return context.order().subtotal().isMoreThan(Money.of(limit, 0));
        }
    },
    HEAVY {
        @Override
        boolean holds(PriceContext context, int limit) {
            return context.order().weight() > limit;
        }
    },
    LOYAL {
        @Override
        boolean holds(PriceContext context, int limit) {
            return context.loyalty() >= limit;
        }
    },
    BULKY {
        @Override
        boolean holds(PriceContext context, int limit) {
            int bulky = 0;
            for (Order.Line line : context.order().lines()) {
                if (line.product().category().isBulky()) {
                    bulky += line.quantity();
                }
            }
            return bulky >= limit;
        }
    },
    MIXED {
        @Override
        boolean holds(PriceContext context, int limit) {
            int kinds = 0;
            for (Category category : Category.values()) {
                kinds += context.pieces(category) > 0 ? 1 : 0;
            }
            return kinds >= limit;
        }
    };

    abstract boolean holds(PriceContext context, int limit);

    static Condition named(String name) {
        switch (name) {
            case "big":
                return BIG;
            case "heavy":
                return HEAVY;
            case "loyal":
                return LOYAL;
            case "bulky":
                return BULKY;
            case "mixed":
                return MIXED;
            default:
                throw new IllegalArgumentException("unknown condition " + name);
        }
    }
}
