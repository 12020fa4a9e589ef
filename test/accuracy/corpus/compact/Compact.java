// A compact source file: no class is written, members stand at top level, and other types become members of the class.
import module java.base;

static final Map<String, Integer> COUNTS = new HashMap<>();
int total = Stream.of(1, 2, 3).mapToInt(n -> n + 1).sum();
final Runnable printer = new Runnable() {
  @Override
  public void run() {
    IO.println(total);
    Supplier<String> inner = () -> "printed";
    IO.println(inner.get());
  }
};

record Point(int x, int y) {
  Point {
    if (x < 0) throw new IllegalArgumentException();
  }

  double length() {
    return Math.sqrt(x * x + y * y);
  }
}

enum Level {
  LOW(1),
  HIGH(2) {
    @Override
    int weight() {
      return super.weight() * 10;
    }
  };

  private final int value;

  Level(int value) {
    this.value = value;
  }

  int weight() {
    return value;
  }
}

sealed interface Shape permits Round {}

record Round(double radius) implements Shape {}

class Counter {
  private int count;

  Counter(int count) {
    this.count = count;
  }

  void add(Point point) {
    count += point.x();
    total += count;
  }

  class Deep {
    int depth() {
      return count;
    }
  }
}

int count(String text) {
  return text.length();
}

int count(List<String> texts) {
  int sum = 0;
  for (String text : texts) sum += count(text);
  return sum;
}

<T extends Comparable<T>> T larger(T one, T other) {
  return one.compareTo(other) > 0 ? one : other;
}

static double area(Shape shape) {
  return switch (shape) {
    case Round(double radius) -> radius * radius;
  };
}

static int twice(int n) {
  IntUnaryOperator doubled = value -> value * 2;
  return doubled.applyAsInt(n);
}

void main() {
  class Local {
    int value = 3;

    int get() {
      return value;
    }
  }
  Comparator<String> byLength =
      new Comparator<>() {
        @Override
        public int compare(String one, String other) {
          return Integer.compare(one.length(), other.length());
        }
      };
  Runnable all = () -> {
    Function<Integer, Integer> next = n -> n + new Local().get();
    COUNTS.put("next", next.apply(1));
  };
  all.run();
  printer.run();
  Counter counter = new Counter(2);
  counter.add(new Point(1, 2));
  counter.new Deep().depth();
  COUNTS.merge("area", (int) area(new Round(2)), Integer::sum);
  IO.println(larger("a", "b") + count("abc") + count(List.of("a")) + twice(4) + Level.HIGH.weight() + byLength.compare("a", ""));
}
