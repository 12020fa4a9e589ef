// Orders found documents by how well they fit.
package com.acme.shop.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Scores by word frequencies; each word counts less the more documents hold it. */
public final class Ranker extends Scorer<List<String>> {
    private record Hit(int document, double score) {
    }

    private final TextIndex index;
    private final Comparator<Hit> bestFirst =
            Comparator.comparingDouble((Hit hit) -> -hit.score()).thenComparingInt(hit -> hit.document());

    public Ranker(TextIndex index) {
        this.index = index;
    }

    @Override
    public double score(List<String> words, int document) {
        double sum = 0;
        for (String word : words) {
            sum += relevanceOf(word, document);
        }
        return sum;
    }

    /** The best documents, best first. */
    public List<Integer> best(Postings found, List<String> words, int limit) {
        List<Hit> hits = new ArrayList<>(found.size());
        for (int i = 0; i < found.size(); i++) {
            hits.add(new Hit(found.get(i), score(words, found.get(i))));
        }
        hits.sort(bestFirst);
        return hits.stream().limit(limit).map(Hit::document).toList();
    }

    private double relevanceOf(String word, int document) {
        int frequency = index.frequency(word, document);
        if (frequency == 0) {
            return 0;
        }
        double rarity = Math.log1p((double) index.size() / (1 + index.postings(word).size()));
        return rarity * frequency / (frequency + 0.5 + 0.01 * index.lengthOf(document));
    }
}
