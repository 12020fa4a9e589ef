// An amount of money in cents with the arithmetic a shop needs.
package com.acme.shop.model;

/** An exact, immutable amount. */
public record Money(long cents) implements Comparable<Money> {
    public static final Money ZERO = new Money(0);

    public static Money of(long units, int cents) {
        return new Money(Math.addExact(units * 100, cents));
    }

    public Money plus(Money other) {
        return plus(other.cents);
    }

    public Money plus(long moreCents) {
        return new Money(Math.addExact(cents, moreCents));
    }

    public Money minus(Money other) {
        return new Money(Math.subtractExact(cents, other.cents));
    }

    public Money times(int factor) {
        return new Money(Math.multiplyExact(cents, factor));
    }

    /** Rounds half up, as invoices do. */
    public Money times(double factor) {
        return new Money((long) Math.floor(cents * factor + 0.5));
    }

    public boolean isMoreThan(Money other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        long fraction = Math.abs(cents % 100);
        return cents / 100 + "." + (fraction < 10 ? "0" : "") + fraction;
    }
}
