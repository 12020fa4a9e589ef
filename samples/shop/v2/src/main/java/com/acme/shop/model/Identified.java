// Something that a repository can keep under a key of its own.
package com.acme.shop.model;

/**
 * A thing with an identity.
 *
 * @param <K> type of the key
 */
public interface Identified<K extends Comparable<K>> {
    /** The key, the same for as long as the thing lives. */
    K id();
}
