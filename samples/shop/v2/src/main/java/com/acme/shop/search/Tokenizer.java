// Cuts text into words for the index.
package com.acme.shop.search;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Splits at everything that is neither a letter nor a digit and reduces words to their stem. */
public final class Tokenizer {
    /** All words of a text. */
    public List<String> tokens(String text) {
        return tokens(text, 0, text.length());
    }

    /** All words of a part of a text. */
    public List<String> tokens(String text, int start, int end) {
        List<String> result = new ArrayList<>();
        for (String word : words(text.substring(start, end))) {
            result.add(Stemmer.stem(word));
        }
        return result;
    }

    /** The words one by one, without a list of them. */
    public Iterable<String> words(String text) {
        return () -> new Iterator<>() {
            private int position = skip(0);

            @Override
            public boolean hasNext() {
                return position < text.length();
            }

            @Override
            public String next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                int start = position;
                while (position < text.length() && Character.isLetterOrDigit(text.charAt(position))) {
                    position++;
                }
                String word = text.substring(start, position);
                position = skip(position);
                return word;
            }

            private int skip(int from) {
                int at = from;
                while (at < text.length() && !Character.isLetterOrDigit(text.charAt(at))) {
                    at++;
                }
                return at;
            }
        };
    }
}
