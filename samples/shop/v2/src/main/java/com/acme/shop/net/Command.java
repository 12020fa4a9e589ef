// What a client may ask the server.
package com.acme.shop.net;

import com.acme.shop.Shop;
import com.acme.shop.model.Money;
import com.acme.shop.model.Product;
import com.acme.shop.search.QuerySyntaxException;
import java.util.stream.Collectors;

/** One kind of request. */
public enum Command {
    SEARCH {
        @Override
        String execute(Shop shop, String argument) throws QuerySyntaxException {
            return shop.search(argument, 10).stream()
                    .map(product -> product.id() + "=" + product.name())
                    .collect(Collectors.joining(";"));
        }
    },
    PRICE {
        @Override
        String execute(Shop shop, String argument) {
            Money sum = Money.ZERO;
            for (String part : argument.split(",")) {
                String[] pair = part.split("x");
                Product product = shop.product(Integer.parseInt(pair[1]));
                sum = sum.plus(shop.prices().price(product, Integer.parseInt(pair[0])));
            }
            return sum.toString();
        }
    },
    ADVISE {
        @Override
        String execute(Shop shop, String argument) {
            return shop.advise(Integer.parseInt(argument)).stream().map(String::valueOf).collect(Collectors.joining(","));
        }
    },
    STATUS {
        @Override
        String execute(Shop shop, String argument) {
            return "orders " + shop.orders().size() + " waiting " + shop.waiting();
        }
    };

    abstract String execute(Shop shop, String argument) throws QuerySyntaxException;

    /** Answers one request line, {@code COMMAND argument}; errors are answers too. */
    static String answer(Shop shop, String line) {
        int blank = line.indexOf(' ');
        try {
            return valueOf(line.substring(0, blank)).execute(shop, line.substring(blank + 1));
        } catch (QuerySyntaxException | IllegalArgumentException refused) {
            return "error " + refused.getMessage();
        }
    }
}
