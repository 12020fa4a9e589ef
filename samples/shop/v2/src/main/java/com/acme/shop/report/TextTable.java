// Lays out rows of text in columns.
package com.acme.shop.report;

import java.util.ArrayList;
import java.util.List;

/** Fluent: every step gives the table back. */
public final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    public TextTable row(Object... cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = String.valueOf(cells[i]);
        }
        rows.add(texts);
        return this;
    }

    public TextTable row(String label, double value) {
        return row(label, Math.round(value * 100) / 100.0, bar(value));
    }

    /** Orders rows by the text of a column. */
    public TextTable sortedBy(int column) {
        rows.sort((left, right) -> left[column].compareTo(right[column]));
        return this;
    }

    /** The table as text. */
    public String render() {
        int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
        String text = "";
        for (String[] row : rows) {
            for (int column = 0; column < columns; column++) {
                text += pad(column < row.length ? row[column] : "", width(column));
            }
            text += "\n";
        }
        return text;
    }

    private int width(int column) {
        int width = 0;
        for (String[] row : rows) {
            width = column < row.length ? Math.max(width, row[column].length()) : width;
        }
        return width + 1;
    }

    private static String pad(String text, int width) {
        StringBuilder padded = new StringBuilder(text);
        while (padded.length() < width) {
            padded.append(' ');
        }
        return padded.toString();
    }

    private static String bar(double value) {
        return "#".repeat((int) Math.min(40, Math.max(0, Math.log(value + 1) * 4)));
    }
}
