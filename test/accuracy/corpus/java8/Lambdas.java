// Lambdas in every place, nested, on one line, serializable, and method references that become lambdas.
package corpus;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

public class Lambdas {
  static final Runnable STATIC = () -> {
    Runnable inner = () -> use("static nested");
    inner.run();
  };
  final Supplier<String> field = () -> "field";
  final Supplier<Supplier<String>> nestedField = () -> () -> "nested";

  static {
    Runnable block = () -> use("static block");
    block.run();
  }

  {
    Runnable block = () -> use("instance block");
    block.run();
  }

  Lambdas() {
    this(() -> "delegated");
  }

  Lambdas(Supplier<String> supplier) {
    Runnable own = () -> use(supplier.get());
    own.run();
  }

  static void use(Object value) {
    if (value == null) throw new IllegalArgumentException();
  }

  static int sum(int... values) {
    return Arrays.stream(values).reduce(0, (left, right) -> left + right);
  }

  List<Integer> over(List<String> list) {
    list.forEach(each -> use(each));
    Collections.sort(list, (a, b) -> b.compareTo(a));
    return Collections.singletonList(list.stream().filter(s -> s.length() > 1).map(s -> s.trim()).mapToInt(s -> s.length()).sum());
  }

  List<Integer> over(String first, int more) {
    Function<String, Integer> length = text -> text.length() + more;
    return Collections.singletonList(length.apply(first));
  }

  Callable<Callable<Callable<Integer>>> deep(int x) {
    return () -> {
      int y = x + 1;
      Runnable before = () -> use(y);
      before.run();
      return () -> {
        int z = y + 1;
        return () -> z + x;
      };
    };
  }

  void oneLine() {
    Runnable a = () -> use("a"), b = () -> use("b"); a.run(); b.run();
  }

  void references() {
    IntFunction<int[]> array = int[]::new;
    Supplier<String> parent = super::toString;
    Function<Integer, Integer> varargs = Lambdas::sum;
    Runnable between = () -> use(array.apply(2));
    Function<String, Integer> plain = String::length;
    Supplier<Inner> inner = Inner::new;
    Runnable after = () -> use(inner.get());
    between.run();
    after.run();
    use(parent.get() + varargs.apply(1) + plain.apply("x"));
  }

  class Inner {
    final Runnable own = () -> use(field.get());
  }

  void serializable() {
    Runnable first = () -> use("plain");
    Runnable kept = (Runnable & Serializable) () -> use("kept");
    Runnable second = () -> use("plain again");
    first.run();
    kept.run();
    second.run();
  }

  Runnable anonymous() {
    return new Thread(() -> use("argument")) {
      final Runnable own = () -> use("own");

      @Override
      public void run() {
        Runnable body = () -> use("body");
        body.run();
        own.run();
      }
    };
  }

  static <T, R> R apply(T value, Function<? super T, ? extends R> function) {
    BiFunction<T, Integer, R> twice = (T input, Integer count) -> {
      R result = function.apply(input);
      for (int i = 1; i < count; i++) result = function.apply(input);
      return result;
    };
    return twice.apply(value, 2);
  }

  void lambda$odd() {
    Runnable odd = () -> use("odd name");
    odd.run();
  }

  interface Greeting {
    String name();

    default Supplier<String> greet() {
      return () -> "hello " + name();
    }

    static Supplier<String> nobody() {
      return () -> "nobody";
    }

    Supplier<String> CONSTANT = () -> "constant";
  }

  enum Operation {
    PLUS((a, b) -> a + b),
    MINUS((a, b) -> a - b) {
      @Override
      int apply(int a, int b) {
        Supplier<Integer> inside = () -> super.apply(a, b);
        return inside.get();
      }
    };

    private final BiFunction<Integer, Integer, Integer> function;

    Operation(BiFunction<Integer, Integer, Integer> function) {
      this.function = function;
    }

    int apply(int a, int b) {
      return function.apply(a, b);
    }
  }
}
