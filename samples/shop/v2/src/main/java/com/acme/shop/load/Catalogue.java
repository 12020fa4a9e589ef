// Invents products and customers.
package com.acme.shop.load;

import com.acme.shop.model.Category;
import com.acme.shop.model.Customer;
import com.acme.shop.model.Money;
import com.acme.shop.model.Product;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** The same seed gives the same catalogue. */
public final class Catalogue {
    static final List<String> THINGS = List.of(
            "novel", "atlas", "poems", "manual", "puzzle", "cards", "robot", "kite",
            "spade", "seeds", "hose", "gnome", "kettle", "knife", "bowl", "oven");
    private static final List<String> SYLLABLES = List.of(
            "ba", "ron", "ti", "mel", "so", "qua", "ner", "ful", "pri", "lo", "gan", "dex", "vi", "cor", "um", "sha");

    private final Random32 random;
    private final List<String> vocabulary;

    public Catalogue(int seed, int words) {
        this.random = new Random32(seed);
        this.vocabulary = IntStream.range(0, words).mapToObj(i -> inventWord()).distinct().toList();
    }

    public List<Product> products(int count) {
        List<Product> products = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            String thing = random.pick(THINGS);
            String name = random.pick(vocabulary) + " " + thing;
            Money price = Money.of(1 + random.below(120), random.below(100));
            products.add(new Product(id, name, describe(name, 30), Category.ofLabel(thing), price));
        }
        return products;
    }

    public List<Customer> customers(int count) {
        List<Customer> customers = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            List<Money> history = new ArrayList<>();
            for (int orders = random.below(240); orders > 0; orders--) {
                history.add(Money.of(random.below(300), 0));
            }
            customers.add(new Customer(id, "customer " + id, history));
        }
        return customers;
    }

    /** Some sentences about a thing. */
    public String describe(String name, int words) {
        StringJoiner text = new StringJoiner(" ", name + ": ", ".");
        for (int i = 0; i < words; i++) {
            text.add(random.chance(12) ? random.pick(THINGS) : random.pick(vocabulary) + random.pick("", "", "ing", "s", "ly"));
        }
        return text.toString();
    }

    /** A word that stands in some descriptions. */
    public String word() {
        return random.chance(40) ? random.pick(THINGS) : random.pick(vocabulary);
    }

    private String inventWord() {
        String word = "";
        for (int i = 2 + random.below(3); i > 0; i--) {
            word += random.pick(SYLLABLES);
        }
        return word;
    }
}
