// A small, fast source of repeatable random numbers.
package com.acme.shop.load;

import java.util.List;

/** Xorshift; one for each thread. */
public final class Random32 {
    private int state;

    public Random32(int seed) {
        this.state = seed * 0x9E3779B9 | 1;
    }

    /** From 0 to bound − 1. */
    public int below(int bound) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return Math.floorMod(state, bound);
    }

    public boolean chance(int percent) {
        return below(100) < percent;
    }

    public <T> T pick(List<? extends T> choices) {
        return choices.get(below(choices.size()));
    }

    @SafeVarargs
    public final <T> T pick(T... choices) {
        return choices[below(choices.length)];
    }
}
