// Sorted document numbers and what queries do with them.
package com.acme.shop.search;

import java.util.Arrays;

/** An immutable ascending list of document numbers. */
public final class Postings {
    static final Postings NONE = new Postings(new int[0]);

    private final int[] documents;

    private Postings(int[] documents) {
        this.documents = documents;
    }

    static Postings of(int[] sorted, int length) {
        return new Postings(Arrays.copyOf(sorted, length));
    }

    public int size() {
        return documents.length;
    }

    public int get(int index) {
        return documents[index];
    }

    /** Documents in both. */
    public Postings and(Postings other) {
        int[] result = new int[Math.min(size(), other.size())];
        int length = 0;
        int left = 0;
        int right = 0;
        while (left < size() && right < other.size()) {
            int difference = documents[left] - other.documents[right];
            if (difference == 0) {
                result[length++] = documents[left];
            }
            left += difference <= 0 ? 1 : 0;
            right += difference >= 0 ? 1 : 0;
        }
        return of(result, length);
    }

    /** Documents in at least one. */
    public Postings or(Postings other) {
        int[] result = new int[size() + other.size()];
        int length = 0;
        int left = 0;
        int right = 0;
        while (left < size() || right < other.size()) {
            if (right == other.size() || left < size() && documents[left] < other.documents[right]) {
                result[length++] = documents[left++];
            } else {
                left += left < size() && documents[left] == other.documents[right] ? 1 : 0;
                result[length++] = other.documents[right++];
            }
        }
        return of(result, length);
    }

    /** Documents here that are not there. */
    public Postings without(Postings other) {
        int[] result = new int[size()];
        int length = 0;
        for (int document : documents) {
            if (!other.contains(document)) {
                result[length++] = document;
            }
        }
        return of(result, length);
    }

    /** Whether a document is in the list. */
    public boolean contains(int document) {
        for (int candidate : documents) {
            if (candidate == document) {
                return true;
            }
        }
        return false;
    }
}
