// A question to the index, as a tree.
package com.acme.shop.search;

/** The kinds of queries; each finds its documents in an index. */
public sealed interface Query {
    /** Documents that match. */
    Postings find(TextIndex index);

    /** Both parts. */
    record And(Query left, Query right) implements Query {
        @Override
        public Postings find(TextIndex index) {
            Postings first = left.find(index);
            return first.size() == 0 ? first : first.and(right.find(index));
        }
    }

    /** At least one part. */
    record Or(Query left, Query right) implements Query {
        @Override
        public Postings find(TextIndex index) {
            return left.find(index).or(right.find(index));
        }
    }

    /** The first part, not the second. */
    record Without(Query left, Query right) implements Query {
        @Override
        public Postings find(TextIndex index) {
            return left.find(index).without(right.find(index));
        }
    }

    /** One word. */
    record Word(String word) implements Query {
        @Override
        public Postings find(TextIndex index) {
            return index.postings(word);
        }
    }

    /** All words with a beginning. */
    record Prefix(String prefix) implements Query {
        @Override
        public Postings find(TextIndex index) {
            Postings result = Postings.NONE;
            for (String word : index.words().startingWith(prefix)) {
                result = result.or(index.postings(word));
            }
            return result;
        }
    }

    /** All words that may have been meant. */
    record Near(String word) implements Query {
        @Override
        public Postings find(TextIndex index) {
            return index.words().near(word, 2).stream()
                    .map(index::postings)
                    .reduce(Postings.NONE, (left, right) -> left.or(right));
        }
    }
}
