// Learns which products are alike.
package com.acme.shop.load;

import com.acme.shop.model.Product;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Compares vectors of features; learning happens while the object is made. */
public final class Recommender {
    private static final int FEATURES = 48;

    private final List<Product> products;
    private final double[][] features;
    private final double[] weights = new double[FEATURES];

    {
        for (int feature = 0; feature < FEATURES; feature++) {
            double weight = 1;
            for (int step = 1; step < 12_000; step++) {
                weight += Math.sin(step * (feature + 1.0)) / step;
            }
            weights[feature] = weight;
        }
    }

    /** Learns from the products' texts. */
    public Recommender(List<? extends Product> products, int seed) {
        this.products = List.copyOf(products);
        this.features = new double[products.size()][];
        for (int i = 0; i < features.length; i++) {
            features[i] = normalise(extract(products.get(i), seed));
        }
    }

    /** Numbers of the products most like one, nearest first. */
    public List<Integer> similar(int product, int limit) {
        record Match(int product, double similarity) {
        }

        class Best {
            private final PriorityQueue<Match> matches = new PriorityQueue<>(Comparator.comparingDouble(Match::similarity));

            void offer(int other) {
                double similarity = cosine(features[product], features[other]);
                if (matches.size() < limit || similarity > matches.element().similarity()) {
                    matches.add(new Match(other, similarity));
                }
                if (matches.size() > limit) {
                    matches.remove();
                }
            }

            List<Integer> numbers() {
                List<Integer> numbers = new ArrayList<>();
                while (!matches.isEmpty()) {
                    numbers.add(0, matches.remove().product());
                }
                return numbers;
            }
        }

        Best best = new Best();
        for (int other = 0; other < products.size(); other++) {
            if (other != product) {
                best.offer(other);
            }
        }
        return best.numbers();
    }

    private double[] extract(Product product, int seed) {
        double[] vector = new double[FEATURES];
        int window = seed;
        for (char letter : product.description().toCharArray()) {
            window = window * 31 + letter;
            vector[Math.floorMod(window >> 4, FEATURES)]++;
        }
        vector[product.category().ordinal()] += product.category().weightOf(product);
        return vector;
    }

    private static double[] normalise(double[] vector) {
        double length = 0;
        for (double value : vector) {
            length += value * value;
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= Math.sqrt(length);
        }
        return vector;
    }

    private double cosine(double[] left, double[] right) {
        double sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            sum += left[i] * right[i] * weights[i];
        }
        return sum;
    }
}
