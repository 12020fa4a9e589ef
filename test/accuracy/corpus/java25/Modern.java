// What came after Java 17: record patterns, pattern switch, unnamed variables, statements before super(...), module imports.
package corpus;

import module java.base;

public class Modern {
  sealed interface Shape permits Circle, Square, Pair {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  record Pair(Shape left, Shape right) implements Shape {}

  static double area(Shape shape) {
    return switch (shape) {
      case Circle(double radius) when radius > 10 -> 10;
      case Circle(var radius) -> radius * radius;
      case Square square -> square.side() * square.side();
      case Pair(Circle(double left), Square _) -> left;
      case Pair(var left, var _) -> area(left);
    };
  }

  static int unnamed(List<String> list) {
    int count = 0;
    for (String _ : list) count++;
    Function<String, Integer> one = _ -> 1;
    try {
      count += Integer.parseInt(list.getFirst());
    } catch (NumberFormatException _) {
      count--;
    }
    return count + one.apply("");
  }

  static class Base {
    final int value;

    Base(int value) {
      this.value = value;
    }
  }

  static class Derived extends Base {
    final String name;
    final Runnable after = () -> check(1);

    Derived(String name) {
      if (name.isEmpty()) throw new IllegalArgumentException();
      Supplier<Integer> length = () -> name.length();
      this.name = name;
      super(length.get());
    }

    static void check(int x) {
      if (x < 0) throw new IllegalArgumentException();
    }
  }

  static boolean test(Object value) {
    return value instanceof Pair(Circle(var radius), _) && radius > 1;
  }

  Object nested(int x) {
    Supplier<Supplier<Integer>> outer = () -> {
      Runnable first = () -> Derived.check(x);
      first.run();
      return () -> x + 1;
    };
    Runnable last = () -> Derived.check(2);
    last.run();
    return outer.get().get();
  }

  Object nested(String x) {
    Supplier<Integer> only = () -> x.length();
    return only.get();
  }
}
