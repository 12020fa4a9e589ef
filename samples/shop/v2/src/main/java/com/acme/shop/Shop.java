// The shop itself: what customers can do, and the parts that do it.
package com.acme.shop;

import com.acme.shop.load.Recommender;
import com.acme.shop.model.Customer;
import com.acme.shop.model.Order;
import com.acme.shop.model.Product;
import com.acme.shop.pricing.PriceEngine;
import com.acme.shop.queue.LockedQueue;
import com.acme.shop.queue.OrderQueue;
import com.acme.shop.queue.RingQueue;
import com.acme.shop.search.Query;
import com.acme.shop.search.QueryParser;
import com.acme.shop.search.QuerySyntaxException;
import com.acme.shop.search.Ranker;
import com.acme.shop.search.TextIndex;
import com.acme.shop.store.HashedRepository;
import com.acme.shop.store.Journal;
import com.acme.shop.store.Repository;
import com.acme.shop.store.SortedRepository;
import java.util.List;
import java.util.NoSuchElementException;

/** Shared by all threads. */
public final class Shop {
    private final List<Product> products;
    private final Repository<Integer, Customer> customers = new HashedRepository<>(16);
    private final Repository<Long, Order> orders = new SortedRepository<>(20_000);
    private final List<OrderQueue<Order>> queues = List.of(new LockedQueue<>(600), new RingQueue<>(256));
    private final PriceEngine prices = new PriceEngine();
    private final TextIndex index;
    private final Ranker ranker;
    private final Journal journal;
    private volatile Recommender recommender;

    public Shop(List<Product> products, List<Customer> buyers, Journal journal) {
        this.products = List.copyOf(products);
        this.index = new TextIndex(products.stream().map(Product::description).toList());
        this.ranker = new Ranker(index);
        this.journal = journal;
        this.recommender = new Recommender(products, 1);
        buyers.forEach(customers::save);
    }

    /** Products that match a query, best first. */
    public List<Product> search(String text, int limit) throws QuerySyntaxException {
        Query query = QueryParser.parse(text);
        List<String> words = index.tokenizer().tokens(text);
        return ranker
                .best(query.find(index), words, limit)
                .stream()
                .map(products::get)
                .toList();
    }

    /** Numbers of products that somebody who looks at a product may like. */
    public List<Integer> advise(int product) {
        return recommender.similar(product, 5);
    }

    /** How many words of a review stand in the product's own description. */
    public int review(Product product, String text) {
        int known = 0;
        for (String word : index.tokenizer().tokens(text)) {
            known += !isFiller(word) && index.frequency(word, product.id()) > 0 ? 1 : 0;
        }
        return known;
    }

    /** Puts an order into the queue of its kind; the flight recorder hears of one in fifty. */
    public void place(Order order) throws InterruptedException {
        queueOf(order).put(order);
        OrderPlaced event = new OrderPlaced();
        if (order.id() % 50 == 0 && event.shouldCommit()) {
            event.order = order.id();
            event.cents = order.subtotal().cents();
            event.textSize = order.lines().stream().mapToInt(line -> line.product().description().length()).sum();
            event.commit();
        }
    }

    public Product product(int number) {
        return products.get(number);
    }

    public int productCount() {
        return products.size();
    }

    public Customer customer(int number) {
        return customers.find(number).orElseThrow(() -> new NoSuchElementException("no customer " + number));
    }

    public int customerCount() {
        return customers.size();
    }

    public PriceEngine prices() {
        return prices;
    }

    public Ranker ranker() {
        return ranker;
    }

    public Repository<Long, Order> orders() {
        return orders;
    }

    public Journal journal() {
        return journal;
    }

    public List<OrderQueue<Order>> queues() {
        return queues;
    }

    public int waiting() {
        return queues.stream().mapToInt(OrderQueue::size).sum();
    }

    /** Learns anew what goes with what. */
    public void learn(int seed) {
        recommender = new Recommender(products, seed);
    }

    /** Whether a word says nothing: letters of few kinds. */
    private static boolean isFiller(String word) {
        return word.chars().distinct().count() * 2 < word.length();
    }

    private OrderQueue<Order> queueOf(Order order) {
        return queues.get(order.id() % 3 == 0 ? 1 : 0);
    }
}
