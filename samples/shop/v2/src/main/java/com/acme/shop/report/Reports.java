// Makes the reports that the shop's owner reads.
package com.acme.shop.report;

import com.acme.shop.Shop;
import com.acme.shop.model.Category;
import com.acme.shop.model.Money;
import com.acme.shop.model.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads from the shop, changes nothing. */
public final class Reports {
    private final Shop shop;
    private final Function<Order, String> size = order -> {
        int pieces = 0;
        for (Order.Line line : order.lines()) {
            pieces += line.quantity();
        }
        return pieces < 6 ? "small" : pieces < 12 ? "medium" : "large";
    };
    private long length;

    public Reports(Shop shop) {
        this.shop = shop;
    }

    /** All reports of a day; the length of their text so far. */
    public long daily() {
        List<Order> orders = new ArrayList<>();
        shop.orders().scan(0L, Long.MAX_VALUE, orders::add);
        length += sales(orders).length();
        length += bestSellers(orders).length();
        length += sizes(orders).length();
        length += relevance();
        return length;
    }

    private String sales(List<Order> orders) {
        Map<Category, Money> byCategory = new SalesByCategory().acceptAll(orders).result();
        double[] deciles = new Totals().acceptAll(orders).result();
        TextTable table = new TextTable().row("department", "sales");
        byCategory.forEach((category, sum) -> table.row(category.name(), sum.cents() / 100.0));
        return table
                .row("first decile", deciles[0])
                .row("median", deciles[1])
                .row("last decile", deciles[2])
                .render();
    }

    private String bestSellers(List<Order> orders) {
        int[] pieces = new int[shop.productCount()];
        for (Order order : orders) {
            for (Order.Line line : order.lines()) {
                pieces[line.product().id()] += line.quantity();
            }
        }
        TextTable table = new TextTable();
        IntStream.range(0, pieces.length)
                .boxed()
                .sorted((left, right) -> pieces[right] - pieces[left])
                .limit(150)
                .forEach(id -> table.row(shop.product(id).name(), pieces[id]));
        return table.sortedBy(0).render();
    }

    private String sizes(List<Order> orders) {
        return orders.stream()
                .collect(Collectors.groupingBy(size, Collectors.summingLong(order -> order.total().cents())))
                .entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /** How many products the shop's favourite words describe well. */
    private int relevance() {
        int sum = 0;
        for (String word : List.of("robot", "kettle", "atlas", "gnome")) {
            sum += shop.ranker().countAbove(List.of(word, "puzzle"), shop.productCount(), 1.5);
        }
        return sum;
    }
}
