// The departments of the shop; each weighs and labels its products in its own way.
package com.acme.shop.model;

/** A department. */
public enum Category {
    BOOKS {
        @Override
        public double weightOf(Product product) {
            return 0.2 + product.name().length() * 0.03;
        }
    },
    GAMES {
        @Override
        public double weightOf(Product product) {
            int pieces = 0;
            for (int i = 0; i < product.name().length(); i++) {
                pieces += product.name().charAt(i) % 7;
            }
            return 0.4 + pieces * 0.01;
        }
    },
    GARDEN {
        @Override
        public double weightOf(Product product) {
            double weight = 1;
            for (int step = 0; step < 24; step++) {
                weight += Math.sqrt(weight + product.id() % (step + 1));
            }
            return weight / 24;
        }

        @Override
        public boolean isBulky() {
            return true;
        }
    },
    KITCHEN {
        @Override
        public double weightOf(Product product) {
            return product.price().cents() / 4_000.0;
        }
    };

    /** Weight for shipping, in kilograms. */
    public abstract double weightOf(Product product);

    /** Whether the carrier asks for more. */
    public boolean isBulky() {
        return false;
    }

    /** The department for a shelf label; unknown labels belong to the kitchen. */
    public static Category ofLabel(String label) {
        return switch (label) {
            case "novel", "atlas", "poems", "manual" -> BOOKS;
            case "puzzle", "cards", "robot", "kite" -> GAMES;
            case "spade", "seeds", "hose", "gnome" -> GARDEN;
            default -> KITCHEN;
        };
    }
}
