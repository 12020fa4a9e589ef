// A rule that changes the price of an order; rules form trees.
package com.acme.shop.pricing;

import com.acme.shop.model.Money;

/** One node of a tree of rules. */
@FunctionalInterface
public interface PricingRule {
    /** The price after this rule. */
    Money apply(PriceContext context, Money price);

    /** This rule, then another. */
    default PricingRule then(PricingRule next) {
        return (context, price) -> next.apply(context, apply(context, price));
    }

    /** Never more than before, never below the floor. */
    default PricingRule bounded(Money floor) {
        return (context, price) -> {
            Money changed = apply(context, price);
            if (changed.isMoreThan(price)) {
                return price;
            }
            return floor.isMoreThan(changed) ? floor : changed;
        };
    }
}
