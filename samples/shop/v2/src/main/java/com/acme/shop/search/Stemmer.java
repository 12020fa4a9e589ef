// Takes the endings off words.
package com.acme.shop.search;

/** English endings, one after another. */
final class Stemmer {
    private static final String[] ENDINGS = {"ingly", "edly", "ing", "ed", "es", "s", "ly"};

    private Stemmer() {
    }

    /** The word without its ending; applied again as long as something falls off. */
    static String stem(String word) {
        for (String ending : ENDINGS) {
            if (word.length() > ending.length() + 2 && word.endsWith(ending)) {
                return stem(word.substring(0, word.length() - ending.length()));
            }
        }
        return word;
    }
}
