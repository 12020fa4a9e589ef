// Prices orders by choosing a rule for each.
package com.acme.shop.pricing;

import com.acme.shop.model.Money;
import com.acme.shop.model.Order;
import com.acme.shop.model.Product;
import java.util.List;

/** Stateless, so that all threads share one; haggles over every price for some rounds. */
public final class PriceEngine {
    private static final int ROUNDS = 30;

    private final RuleBook book = new RuleBook();

    /** Prices an order and says so in it. */
    public Money price(Order order) {
        PriceContext context = new PriceContext(order);
        Money total = price(context, ruleFor(order));
        order.priced(total);
        return total;
    }

    /** What a single product costs in some quantity, without an order. */
    public Money price(Product product, int quantity) {
        Money plain = product.price().times(quantity);
        return quantity > 9 ? plain.times(0.95) : plain;
    }

    /** Sum of the plain prices of products. */
    public Money price(List<Product> products) {
        return products.stream().map(Product::price).reduce(Money.ZERO, Money::plus);
    }

    private Money price(PriceContext context, PricingRule rule) {
        Money price = context.order().subtotal().plus(shipping(context.order()));
        for (int round = 0; round < ROUNDS; round++) {
            price = rule.apply(context, price);
        }
        return price.isMoreThan(Money.ZERO) ? price : Money.of(1, 0);
    }

    private String ruleName(Order order) {
        return switch ((int) (order.id() % 10)) {
            case 0, 1 -> "nested";
            case 2, 9 -> "deep";
            case 3, 4 -> "best";
            case 5, 6, 7 -> "mixed";
            default -> "standard";
        };
    }

    private PricingRule ruleFor(Order order) {
        return book.rule(ruleName(order));
    }

    private static Money shipping(Order order) {
        double weight = order.weight();
        return weight < 1 ? Money.of(2, 90) : Money.of(2, 90).plus((long) (weight * 45));
    }
}
