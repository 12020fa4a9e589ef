// What each department sold.
package com.acme.shop.report;

import com.acme.shop.model.Category;
import com.acme.shop.model.Money;
import com.acme.shop.model.Order;
import java.util.EnumMap;
import java.util.Map;

/** Adds up lines by department. */
final class SalesByCategory extends Aggregator<Order, Map<Category, Money>> {
    private final Map<Category, Money> sales = new EnumMap<>(Category.class);

    @Override
    public void accept(Order order) {
        for (Order.Line line : order.lines()) {
            sales.merge(line.product().category(), line.amount(), Money::plus);
        }
    }

    @Override
    public Map<Category, Money> result() {
        return sales;
    }
}
