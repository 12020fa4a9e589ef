// What one worker knows while it plays a customer.
package com.acme.shop.load;

import com.acme.shop.Shop;
import com.acme.shop.model.Product;
import com.acme.shop.net.ShopClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** For one thread. */
final class Session {
    private static final AtomicLong ORDERS = new AtomicLong();

    private final Shop shop;
    private final ShopClient client;
    private final Random32 random;
    private final Catalogue words;
    private final List<Product> looked = new ArrayList<>();
    private long seen;

    Session(Shop shop, ShopClient client, int seed) {
        this.shop = shop;
        this.client = client;
        this.random = new Random32(seed);
        this.words = new Catalogue(7, 2_000);
    }

    Shop shop() {
        return shop;
    }

    ShopClient client() {
        return client;
    }

    Random32 random() {
        return random;
    }

    String word() {
        return words.word();
    }

    /** What a customer may write about a product. */
    String opinion(Product product) {
        return words.describe(product.name(), 40);
    }

    Product product() {
        return shop.product(random.below(shop.productCount()));
    }

    long nextOrder() {
        return ORDERS.incrementAndGet();
    }

    void look(Product product) {
        seen(product.description().length());
        looked.add(product);
        if (looked.size() > 12) {
            looked.sort(null);
            looked.subList(8, looked.size()).clear();
        }
    }

    void seen(int amount) {
        seen += amount;
    }

    /** Something of what was looked at, and something else. */
    List<Product> basket() {
        List<Product> basket = new ArrayList<>(looked);
        while (basket.size() < 4) {
            basket.add(product());
        }
        return basket;
    }
}
