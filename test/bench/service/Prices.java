// Prices: worked out by hashing, and kept by Caffeine for a while.
package shop;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

public final class Prices {
  private static final int KEPT = 150;
  private final Cache<Integer, Long> known =
      Caffeine.newBuilder().maximumSize(KEPT).executor(Runnable::run).build();

  /** Most products are asked for again before they are forgotten. */
  public long price(Store.Product product) {
    return known.get(product.id(), id -> product.cost() + hashed(id, 400) % 50);
  }

  public long discount(Store.Customer customer) {
    return hashed(customer.id(), 300 + 50 * customer.level()) % 100;
  }

  private static long hashed(int seed, int rounds) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = new byte[256];
      long sum = 0;
      for (int i = 0; i < rounds; i++) {
        bytes[i % 256] = (byte) (seed + i);
        sum += digest.digest(bytes)[0] & 0xff;
      }
      return sum;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
