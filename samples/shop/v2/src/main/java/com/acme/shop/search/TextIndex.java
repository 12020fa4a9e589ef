// Which word stands in which document, and how often.
package com.acme.shop.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Built once, then read by all threads. */
public final class TextIndex {
    private final Tokenizer tokenizer = new Tokenizer();
    private final Trie words = new Trie();
    private final Map<String, Postings> postings = new HashMap<>();
    private final List<Map<String, Integer>> frequencies = new ArrayList<>();
    private final int[] lengths;

    /** Indexes documents; their numbers are their positions. */
    public TextIndex(List<String> documents) {
        this.lengths = new int[documents.size()];
        Map<String, int[]> growing = new HashMap<>();
        Map<String, Integer> sizes = new HashMap<>();
        IntStream.range(0, documents.size()).forEach(number -> {
            List<String> tokens = tokenizer.tokens(documents.get(number));
            lengths[number] = tokens.size();
            Map<String, Integer> counts = new HashMap<>();
            tokens.forEach(token -> counts.merge(token, 1, Integer::sum));
            frequencies.add(counts);
            counts.keySet().forEach(token -> {
                int size = sizes.merge(token, 1, Integer::sum);
                int[] list = growing.computeIfAbsent(token, unused -> new int[documents.size()]);
                list[size - 1] = number;
            });
        });
        growing.forEach((word, list) -> {
            words.add(word);
            postings.put(word, Postings.of(list, sizes.get(word)));
        });
    }

    public Tokenizer tokenizer() {
        return tokenizer;
    }

    public int size() {
        return lengths.length;
    }

    public int lengthOf(int document) {
        return lengths[document];
    }

    /** How often a word stands in a document. */
    public int frequency(String word, int document) {
        return frequencies.get(document).getOrDefault(word, 0);
    }

    Trie words() {
        return words;
    }

    Postings postings(String word) {
        return postings.getOrDefault(word, Postings.NONE);
    }
}
