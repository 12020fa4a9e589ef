// Takes orders from a queue, prices them, and closes them.
package com.acme.shop.load;

import com.acme.shop.Shop;
import com.acme.shop.model.Money;
import com.acme.shop.model.Order;
import com.acme.shop.queue.OrderQueue;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Runs until it is told to stop. */
final class Processor implements Runnable {
    private static final Map<Money, Integer> TURNOVER = new TreeMap<>();

    private final Shop shop;
    private final OrderQueue<Order> queue;
    private final BooleanSupplier running;

    Processor(Shop shop, OrderQueue<Order> queue, BooleanSupplier running) {
        this.shop = shop;
        this.queue = queue;
        this.running = running;
    }

    @Override
    public void run() {
        try {
            while (running.getAsBoolean()) {
                Order order = queue.poll(20);
                if (order != null) {
                    process(order);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            System.err.println("journal: " + broken.getMessage());
        }
    }

    private void process(Order order) throws IOException {
        Money total = shop.prices().price(order);
        try {
            charge(order, total);
            order.close(true);
        } catch (PaymentRefused refused) {
            order.close(false);
        }
        shop.orders().save(order);
        shop.journal().append(order);
    }

    private void charge(Order order, Money total) throws PaymentRefused {
        if (order.id() % 97 == 0) {
            throw new PaymentRefused(order);
        }
        synchronized (TURNOVER) {
            TURNOVER.merge(new Money(total.cents() / 1_000), 1, Integer::sum);
            if (TURNOVER.size() > 300) {
                TURNOVER.clear();
            }
        }
    }

    /** The bank said no. */
    private static final class PaymentRefused extends Exception {
        private static final long serialVersionUID = 1;

        PaymentRefused(Order order) {
            super("order " + order.id() + " of " + order.customer().name());
        }
    }
}
