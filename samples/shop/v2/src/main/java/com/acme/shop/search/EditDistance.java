// How many single-letter changes lie between two words.
package com.acme.shop.search;

/** Levenshtein's distance by the full table. */
final class EditDistance {
    private EditDistance() {
    }

    static int between(String left, String right) {
        int[][] table = new int[left.length() + 1][right.length() + 1];
        for (int row = 0; row <= left.length(); row++) {
            for (int column = 0; column <= right.length(); column++) {
                table[row][column] = cell(table, left, right, row, column);
            }
        }
        return table[left.length()][right.length()];
    }

    private static int cell(int[][] table, String left, String right, int row, int column) {
        if (row == 0 || column == 0) {
            return row + column;
        }
        int change = left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1;
        return smallest(table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + change);
    }

    private static int smallest(int a, int b, int c) {
        return Math.min(a, Math.min(b, c));
    }
}
