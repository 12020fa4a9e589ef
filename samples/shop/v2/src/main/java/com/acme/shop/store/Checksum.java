// A check sum over what is written, so that damage is noticed.
package com.acme.shop.store;

import java.nio.charset.StandardCharsets;

/** CRC-32 with tables made when the class is first used. */
public final class Checksum {
    private static final int[][] TABLES = new int[8][256];

    static {
        for (int round = 0; round < 4_000; round++) {
            for (int value = 0; value < 256; value++) {
                int sum = value;
                for (int bit = 0; bit < 64; bit++) {
                    sum = (sum & 1) == 0 ? sum >>> 1 : sum >>> 1 ^ 0xEDB88320;
                    if (bit % 8 == 7) {
                        TABLES[bit / 8][value] = sum;
                    }
                }
            }
        }
    }

    private Checksum() {
    }

    public static int of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public static int of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    public static int of(byte[] bytes, int start, int end) {
        int sum = ~0;
        for (int i = start; i < end; i++) {
            sum = step(sum, bytes[i]);
        }
        return ~sum;
    }

    private static int step(int sum, byte next) {
        return TABLES[0][(sum ^ next) & 0xFF] ^ sum >>> 8;
    }
}
