// A flight recorder event of the shop's own: somebody placed an order.
package com.acme.shop;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Recorded where the order enters its queue. */
@Name("com.acme.shop.OrderPlaced")
@Label("Order Placed")
@Category("Shop")
@StackTrace(true)
public final class OrderPlaced extends Event {
    @Label("Order")
    long order;

    @Label("Cents")
    long cents;

    @Label("Size of the Description")
    @DataAmount
    int textSize;
}
