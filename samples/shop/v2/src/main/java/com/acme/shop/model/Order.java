// An order with its lines, made by a builder.
package com.acme.shop.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a customer wants; immutable once built, apart from its state. */
public final class Order implements Identified<Long>, Comparable<Order> {
    /** Where an order stands. */
    public enum State { NEW, PRICED, PAID, REFUSED }

    /** One line of the order it belongs to. */
    public final class Line {
        private final Product product;
        private final int quantity;

        private Line(Product product, int quantity) {
            this.product = product;
            this.quantity = quantity;
        }

        public Product product() {
            return product;
        }

        public int quantity() {
            return quantity;
        }

        /** Price of the line, with a rebate for quantity that depends on the whole order. */
        public Money amount() {
            Money plain = product.price().times(quantity);
            return size() > 6 ? plain.times(0.99) : plain;
        }

        /** Shipping weight in kilograms. */
        public double weight() {
            return product.category().weightOf(product) * quantity;
        }
    }

    /** Collects lines; not for use by several threads. */
    public static final class Builder {
        private final long id;
        private final Customer customer;
        private final List<Product> products = new ArrayList<>();
        private final List<Integer> quantities = new ArrayList<>();
        private int priority;

        private Builder(long id, Customer customer) {
            this.id = id;
            this.customer = customer;
        }

        public Builder add(Product product) {
            return add(product, 1);
        }

        public Builder add(Product product, int quantity) {
            products.add(product);
            quantities.add(quantity);
            return this;
        }

        public Builder addAll(Iterable<? extends Product> many) {
            for (Product product : many) {
                add(product);
            }
            return this;
        }

        public Builder priority(int level) {
            this.priority = level;
            return this;
        }

        public Order build() {
            return new Order(this);
        }
    }

    private final long id;
    private final Customer customer;
    private final int priority;
    private final List<Line> lines = new ArrayList<>();
    private volatile State state = State.NEW;
    private volatile Money total = Money.ZERO;

    private Order(Builder builder) {
        this.id = builder.id;
        this.customer = builder.customer;
        this.priority = builder.priority;
        for (int i = 0; i < builder.products.size(); i++) {
            lines.add(new Line(builder.products.get(i), builder.quantities.get(i)));
        }
    }

    public static Builder of(long id, Customer customer) {
        return new Builder(id, customer);
    }

    @Override
    public Long id() {
        return id;
    }

    public Customer customer() {
        return customer;
    }

    public List<Line> lines() {
        return Collections.unmodifiableList(lines);
    }

    public int size() {
        return lines.size();
    }

    public State state() {
        return state;
    }

    public Money total() {
        return total;
    }

    /** Sum of all lines before any rule. */
    public Money subtotal() {
        Money sum = Money.ZERO;
        for (Line line : lines) {
            sum = sum.plus(line.amount());
        }
        return sum;
    }

    /** Weight of everything, in kilograms. */
    public double weight() {
        return lines.stream().mapToDouble(Line::weight).sum();
    }

    public void priced(Money newTotal) {
        this.total = newTotal;
        this.state = State.PRICED;
    }

    public void close(boolean paid) {
        this.state = paid ? State.PAID : State.REFUSED;
    }

    /** Urgent before idle, old before new. */
    @Override
    public int compareTo(Order other) {
        int byPriority = Integer.compare(other.priority, priority);
        return byPriority != 0 ? byPriority : Long.compare(id, other.id);
    }
}
