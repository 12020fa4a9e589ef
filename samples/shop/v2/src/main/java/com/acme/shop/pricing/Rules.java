// The kinds of rules that a rule text can name.
package com.acme.shop.pricing;

import com.acme.shop.model.Category;
import com.acme.shop.model.Money;
import java.util.List;

/** Rules as small records. */
public final class Rules {
    private Rules() {
    }

    /** Takes off some per cent. */
    public record Percent(int percent) implements PricingRule {
        public Percent {
            if (percent < 0 || percent > 90) {
                throw new IllegalArgumentException("discount of " + percent + " %");
            }
        }

        @Override
        public Money apply(PriceContext context, Money price) {
            return price.times((100 - percent) / 100.0);
        }
    }

    /** Every so many pieces of one department, one cent less for each cent of weight. */
    public record Bundle(Category category, int size) implements PricingRule {
        @Override
        public Money apply(PriceContext context, Money price) {
            int bundles = context.pieces(category) / size;
            return price.minus(Money.of(0, Math.min(99, bundles * 7)));
        }
    }

    /** All rules, one after another. */
    public record Sequence(List<PricingRule> rules) implements PricingRule {
        @Override
        public Money apply(PriceContext context, Money price) {
            Money current = price;
            for (PricingRule rule : rules) {
                current = context.evaluate(rule, current);
            }
            return current;
        }
    }

    /** One of two rules. */
    public record Conditional(Condition condition, int limit, PricingRule yes, PricingRule no) implements PricingRule {
        @Override
        public Money apply(PriceContext context, Money price) {
            boolean holds = condition.holds(context, limit);
            return context.evaluate(holds ? yes : no, price);
        }
    }

    /** The best of several rules for the customer. */
    public record Best(List<PricingRule> rules) implements PricingRule {
        @Override
        public Money apply(PriceContext context, Money price) {
            return rules.stream()
                    .map(rule -> context.evaluate(rule, price))
                    .min(Money::compareTo)
                    .orElse(price);
        }
    }
}
