// What a customer does next.
package com.acme.shop.load;

import com.acme.shop.model.Customer;
import com.acme.shop.model.Order;
import com.acme.shop.model.Product;
import com.acme.shop.net.Command;
import com.acme.shop.search.QuerySyntaxException;
import java.io.IOException;
import java.util.List;

/** One step of a session. */
enum Behaviour {
    BROWSE(9) {
        @Override
        void act(Session session) throws QuerySyntaxException {
            List<Product> found = session.shop().search(query(session), 20);
            for (Product product : found) {
                session.look(product);
            }
        }
    },
    BUY(52) {
        @Override
        void act(Session session) throws InterruptedException {
            Customer customer = session.shop().customer(session.random().below(session.shop().customerCount()));
            Order order = Order.of(session.nextOrder(), customer)
                    .priority(session.random().below(3))
                    .addAll(session.basket())
                    .add(session.product(), 1 + session.random().below(12))
                    .build();
            session.shop().place(order);
        }
    },
    REMOTE(17) {
        @Override
        void act(Session session) throws IOException {
            switch (session.random().below(4)) {
                case 0 -> session.client().ask(Command.SEARCH, query(session));
                case 1 -> session.client().ask(Command.PRICE, "3x" + session.product().id() + ",1x" + session.product().id());
                case 2 -> session.client().ask(Command.ADVISE, String.valueOf(session.product().id()));
                default -> session.client().ask(Command.STATUS, "now");
            }
        }
    },
    ILLUSTRATE(8) {
        @Override
        void act(Session session) {
            String picture = Thumbnail.draw(session.product().id(), 72)
                    .blur()
                    .sharpen()
                    .half()
                    .encode();
            session.seen(picture.length());
        }
    },
    REVIEW(14) {
        @Override
        void act(Session session) {
            for (int review = 0; review < 3; review++) {
                Product product = session.product();
                session.seen(session.shop().review(product, session.opinion(product)));
            }
        }
    };

    private static final Behaviour[] BY_CHANCE = new Behaviour[100];

    static {
        int next = 0;
        for (Behaviour behaviour : values()) {
            for (int i = 0; i < behaviour.percent; i++) {
                BY_CHANCE[next++] = behaviour;
            }
        }
    }

    private final int percent;

    Behaviour(int percent) {
        this.percent = percent;
    }

    abstract void act(Session session) throws IOException, InterruptedException, QuerySyntaxException;

    static Behaviour next(Random32 random) {
        return BY_CHANCE[random.below(BY_CHANCE.length)];
    }

    /** A query of some form; one in fifty is wrong. */
    static String query(Session session) {
        String first = session.word();
        String second = session.word();
        return switch (session.random().below(50)) {
            case 0 -> first + " (" + second;
            case 1, 2, 3, 4, 5, 6, 7, 8 -> first.substring(0, 2) + "* -" + second;
            case 9, 10, 11, 12 -> first + "~ | " + second;
            case 13, 14, 15, 16, 17, 18, 19, 20 -> "(" + first + " | " + second + ") " + session.word();
            default -> first + " | " + second + " | (" + session.word() + " -" + second + ")";
        };
    }
}
