// Draws and shrinks little pictures of products.
package com.acme.shop.load;

import java.util.function.IntBinaryOperator;
import java.util.function.UnaryOperator;

/** A square grey picture; every step makes a new one. */
final class Thumbnail {
    private static final UnaryOperator<Thumbnail> SHARPEN = picture -> picture.map((x, y) -> {
        int centre = picture.at(x, y) * 5;
        return centre - picture.at(x - 1, y) - picture.at(x + 1, y) - picture.at(x, y - 1) - picture.at(x, y + 1);
    });

    private final int size;
    private final int[] pixels;

    private Thumbnail(int size) {
        this.size = size;
        this.pixels = new int[size * size];
    }

    static Thumbnail draw(int seed, int size) {
        return new Thumbnail(size).map((x, y) -> (x * x + y * seed ^ x * y) & 255);
    }

    Thumbnail blur() {
        return map((x, y) -> {
            int sum = 0;
            for (int dx = -1; dx <= 1; dx++) {
                for (int dy = -1; dy <= 1; dy++) {
                    sum += at(x + dx, y + dy);
                }
            }
            return sum / 9;
        });
    }

    Thumbnail sharpen() {
        return SHARPEN.apply(this);
    }

    Thumbnail half() {
        Thumbnail result = new Thumbnail(size / 2);
        for (int y = 0; y < result.size; y++) {
            for (int x = 0; x < result.size; x++) {
                result.pixels[y * result.size + x] = (at(2 * x, 2 * y) + at(2 * x + 1, 2 * y + 1)) / 2;
            }
        }
        return result;
    }

    /** Run lengths as text. */
    String encode() {
        StringBuilder text = new StringBuilder();
        int run = 1;
        for (int i = 1; i <= pixels.length; i++) {
            if (i < pixels.length && pixels[i] / 32 == pixels[i - 1] / 32) {
                run++;
            } else {
                text.append((char) ('a' + (pixels[i - 1] / 32 & 15))).append(run);
                run = 1;
            }
        }
        return text.toString();
    }

    private int at(int x, int y) {
        return x < 0 || y < 0 || x >= size || y >= size ? 0 : pixels[y * size + x];
    }

    private Thumbnail map(IntBinaryOperator colour) {
        Thumbnail result = new Thumbnail(size);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                result.pixels[y * size + x] = Math.min(255, Math.max(0, colour.applyAsInt(x, y)));
            }
        }
        return result;
    }
}
