// Code outside methods: static and instance blocks, field initialisers, enum constants, constructors that do or do not delegate.
package corpus;

import java.util.ArrayList;
import java.util.List;

public class Initializers {
  static final List<String> NAMES = new ArrayList<>();
  static int count = compute(3);

  static {
    NAMES.add("one");
    count++;
  }

  private final List<String> own =
      new ArrayList<>(NAMES);
  private int first = compute(1), second = compute(2);

  {
    own.add("two");
    first += second;
  }

  Initializers() {
    this(1);
    own.add("three");
  }

  Initializers(int size) {
    super();
    first = compute(size);
  }

  Initializers(long size, String name) {
    second = compute((int) size + name.length());
  }

  static {
    count = compute(count);
  }

  static int compute(int x) {
    return x * 31;
  }

  static class Implicit {
    final int value = compute(7);
    static final Object LOCK = new Object();
  }

  static class Empty {
  }

  enum Level {
    LOW(1),
    HIGH(compute(2)) {
      private final int more = compute(3);

      @Override
      int weight() {
        return more;
      }
    },
    TOP;

    static final Level[] ALL = values();
    private final int weight;

    Level(int weight) {
      this.weight = weight;
    }

    Level() {
      this(9);
    }

    int weight() {
      return weight;
    }

    static Level valueOf(int weight) {
      for (Level level : ALL) if (level.weight == weight) return level;
      return valueOf("LOW");
    }
  }

  enum Bare { A, B }

  interface Constants {
    Object FIRST = new Object();
    int SECOND = compute(4);
  }
}
