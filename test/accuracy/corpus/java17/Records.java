// Records in all forms, sealed types, local records, enums and interfaces, text blocks, switch expressions.
package corpus;

import java.util.List;
import java.util.function.Function;

public class Records {
  record Point(int x, int y) {}

  record Named<T extends Comparable<T>>(String name, T value, int... rest) {
    static int made;

    Named {
      if (name.isEmpty()) throw new IllegalArgumentException("empty");
      made++;
    }

    Named(String name, T value) {
      this(name, value, new int[0]);
    }

    @Override
    public String name() {
      return name.trim();
    }
  }

  record Canonical(List<String> list) {
    Canonical(List<String> list) {
      this.list = List.copyOf(list);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Canonical that && that.list.equals(list);
    }

    @Override
    public int hashCode() {
      return list.hashCode();
    }
  }

  sealed interface Shape permits Circle, Square {
    double area();
  }

  record Circle(double radius) implements Shape {
    public double area() {
      return Math.PI * radius * radius;
    }
  }

  record Square(double side) implements Shape, Comparable<Square> {
    public double area() {
      return side * side;
    }

    public int compareTo(Square other) {
      return Double.compare(side, other.side);
    }
  }

  Object locals(int seed) {
    record Pair(String left, int right) {
      Pair {
        left = left.strip();
      }

      int sum() {
        return left.length() + right;
      }
    }
    enum Mode {
      ON,
      OFF;

      Mode other() {
        return this == ON ? OFF : ON;
      }
    }
    interface Maker {
      Pair make(String text);
    }
    Maker maker = text -> new Pair(text, seed);
    return maker.make(Mode.ON.other().name()).sum();
  }

  static int choose(Shape shape) {
    int kind = switch (shape.toString()) {
      case "a", "b" -> 1;
      case "c" -> {
        Function<Integer, Integer> twice = x -> x * 2;
        yield twice.apply(2);
      }
      default -> 3;
    };
    String text = """
        lines { of "text"
        with \""" quotes }
        """ + kind;
    return text.length();
  }
}
