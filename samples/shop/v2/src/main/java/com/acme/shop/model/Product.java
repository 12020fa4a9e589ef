// One article of the catalogue.
package com.acme.shop.model;

import java.util.Locale;

/** An article that can be ordered. */
public record Product(Integer id, String name, String description, Category category, Money price)
        implements Identified<Integer>, Comparable<Product> {

    /** Checks the parts and brings the name into its canonical form. */
    public Product {
        if (id < 0) {
            throw new IllegalArgumentException("negative product number " + id);
        }
        name = canonical(name);
        description = description.strip();
    }

    /** The same article with another price. */
    public Product withPrice(Money newPrice) {
        return new Product(id, name, description, category, newPrice);
    }

    /** Cheap before dear; equal prices by name. */
    @Override
    public int compareTo(Product other) {
        int byPrice = price.compareTo(other.price);
        return byPrice != 0 ? byPrice : name.compareTo(other.name);
    }

    private static String canonical(String text) {
        StringBuilder result = new StringBuilder(text.length());
        boolean gap = false;
        for (char letter : text.toLowerCase(Locale.ROOT).toCharArray()) {
            if (Character.isLetterOrDigit(letter)) {
                if (gap && result.length() > 0) {
                    result.append(' ');
                }
                result.append(letter);
                gap = false;
            } else {
                gap = true;
            }
        }
        return result.toString();
    }
}
