// How well a document answers a question.
package com.acme.shop.search;

/**
 * Gives a document points.
 *
 * @param <Q> what a question is
 */
public abstract class Scorer<Q> {
    /** Points for a document; more is better. */
    public abstract double score(Q question, int document);

    /** Number of documents that get more than a limit. */
    public int countAbove(Q question, int documents, double limit) {
        int count = 0;
        for (int document = 0; document < documents; document++) {
            if (score(question, document) > limit) {
                count++;
            }
        }
        return count;
    }
}
