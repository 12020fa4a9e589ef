// All rules of the shop, by name, with the tax that comes on top.
package com.acme.shop.pricing;

import com.acme.shop.model.Money;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** The rules in force. */
public final class RuleBook {
    private static final int TAX_STEPS = 4_096;
    private static final double[] TAX = new double[TAX_STEPS];
    private static final IntFunction<String> NESTED = RuleBook::nestedText;
    private static final ToIntFunction<Money> STEP = money -> {
        long step = money.cents() / 50;
        return (int) Math.min(step, TAX_STEPS - 1);
    };

    static {
        Random random = new Random(42);
        for (int step = 0; step < TAX_STEPS; step++) {
            double sum = 0;
            for (int draw = 0; draw < 6_000; draw++) {
                sum += Math.cbrt(random.nextDouble() * step);
            }
            TAX[step] = 0.05 + sum / 6_000 / 200;
        }
    }

    /** Rounds the end price down to something that looks cheap. */
    private final PricingRule charm = new PricingRule() {
        private static final int[] ENDINGS = {99, 95, 90, 75, 50};

        @Override
        public Money apply(PriceContext context, Money price) {
            long best = price.cents();
            for (int ending : ENDINGS) {
                long candidate = price.cents() / 100 * 100 - 100 + ending;
                if (candidate > 0 && score(candidate) > score(best)) {
                    best = candidate;
                }
            }
            return new Money(best);
        }

        private int score(long cents) {
            int nines = 0;
            for (long rest = cents; rest > 0; rest /= 10) {
                nines += rest % 10 == 9 ? 3 : rest % 10 == 5 ? 1 : 0;
            }
            return nines;
        }
    };

    private final PricingRule taxed = (context, price) -> {
        int step = STEP.applyAsInt(price);
        return price.times(1 + TAX[step]);
    };

    private final Map<String, PricingRule> rules = new HashMap<>();

    {
        String[] texts = {
            "standard=if(big,200,percent(5),bundle(books,3))",
            "mixed=all(if(mixed,3,percent(4),bundle(garden,2)),if(heavy,20,percent(2),percent(1)))",
            "best=best(percent(6),bundle(kitchen,2),if(bulky,2,percent(9),percent(3)),all(percent(2),percent(2)))",
            "nested=" + NESTED.apply(16),
            "deep=" + NESTED.apply(40),
        };
        for (String text : texts) {
            int equals = text.indexOf('=');
            PricingRule rule = RuleParser.parse(text.substring(equals + 1));
            rules.put(text.substring(0, equals), rule.bounded(Money.of(1, 0)).then(charm).then(taxed));
        }
    }

    /** The rule of that name. */
    public PricingRule rule(String name) {
        PricingRule rule = rules.get(name);
        if (rule == null) {
            throw new IllegalArgumentException("no rule named " + name);
        }
        return rule;
    }

    private static String nestedText(int depth) {
        if (depth == 0) {
            return "all(percent(1),bundle(games,2))";
        }
        String inner = nestedText(depth - 1);
        return switch (depth % 3) {
            case 0 -> "all(" + inner + ",bundle(books," + (depth + 1) + "))";
            case 1 -> "if(loyal," + depth % 4 + "," + inner + ",percent(1))";
            default -> "all(bundle(garden," + depth + ")," + inner + ")";
        };
    }
}
