// Words by their letters, for beginnings of words and for words with typing errors.
package com.acme.shop.search;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A tree of letters; walks are recursive, one call a letter. */
final class Trie {
    private static final class Node {
        private final TreeMap<Character, Node> children = new TreeMap<>();
        private String word;

        private Node child(char letter) {
            return children.computeIfAbsent(letter, unused -> new Node());
        }

        private void collect(Consumer<? super String> found) {
            if (word != null) {
                found.accept(word);
            }
            for (Node child : children.values()) {
                child.collect(found);
            }
        }
    }

    private final Node root = new Node();

    void add(String word) {
        Node node = root;
        for (int i = 0; i < word.length(); i++) {
            node = node.child(word.charAt(i));
        }
        node.word = word;
    }

    /** All words that begin with a prefix. */
    List<String> startingWith(String prefix) {
        Node node = root;
        for (int i = 0; i < prefix.length() && node != null; i++) {
            node = node.children.get(prefix.charAt(i));
        }
        List<String> words = new ArrayList<>();
        if (node != null) {
            node.collect(words::add);
        }
        return words;
    }

    /** All words at most some edits away. */
    List<String> near(String word, int edits) {
        List<String> candidates = new ArrayList<>();
        walk(root, word, 0, edits, candidates);
        List<String> words = new ArrayList<>();
        for (String candidate : candidates) {
            if (EditDistance.between(word, candidate) <= edits) {
                words.add(candidate);
            }
        }
        return words;
    }

    private void walk(Node node, String word, int depth, int edits, List<String> found) {
        if (node.word != null && Math.abs(node.word.length() - word.length()) <= edits) {
            found.add(node.word);
        }
        for (var entry : node.children.entrySet()) {
            boolean same = depth < word.length() && word.charAt(depth) == entry.getKey();
            if (same) {
                walk(entry.getValue(), word, depth + 1, edits, found);
            } else if (edits > 0) {
                walk(entry.getValue(), word, depth + 1, edits - 1, found);
            }
        }
    }
}
