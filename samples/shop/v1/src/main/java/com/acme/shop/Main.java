// Runs the shop under load for a time, or for so many orders: {@code --seconds N --threads N --seed N --orders N}.
package com.acme.shop;

import com.acme.shop.load.Catalogue;
import com.acme.shop.load.LoadDriver;
import com.acme.shop.model.Customer;
import com.acme.shop.model.Product;
import com.acme.shop.store.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int seconds = 10;
        int threads = 4;
        int seed = 1;
        int orders = 0;
        for (int i = 0; i + 1 < args.length; i += 2) {
            int value = Integer.parseInt(args[i + 1]);
            switch (args[i]) {
                case "--seconds" -> seconds = value;
                case "--threads" -> threads = value;
                case "--seed" -> seed = value;
                case "--orders" -> orders = value;
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        Catalogue catalogue = new Catalogue(7, 2_000);
        List<Product> products = catalogue.products(1_500);
        List<Customer> customers = catalogue.customers(800);
        Journal journal = new Journal(Path.of("orders.log"));
        journal.rotate();
        Shop shop = new Shop(products, customers, journal);
        System.out.println(new LoadDriver(shop, threads, seed, seconds, orders).run());
    }
}
