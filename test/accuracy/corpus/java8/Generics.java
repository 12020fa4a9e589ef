// Overloads, erasure, bounds, shadowed type variables, varargs and arrays, bridges of generic and covariant overriding.
package corpus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

public abstract class Generics<T, K extends Comparable<K>, B extends Number & Comparable<B>> {
  void take(T value) {
    use(value);
  }

  void take(K value) {
    use(value);
  }

  void take(B value) {
    use(value);
  }

  void take(String value) {
    use(value);
  }

  void take(int value) {
    use(value);
  }

  void take(long value) {
    use(value);
  }

  void take(T[] values) {
    use(values);
  }

  void take(int[] values) {
    use(values);
  }

  void take(int[][] values) {
    use(values);
  }

  void take(String first, Object... rest) {
    use(rest);
  }

  void take(List<String> list) {
    use(list);
  }

  void take(Collection<? extends T> list) {
    use(list);
  }

  void take(Map.Entry<K, T> entry, int x) {
    use(entry);
  }

  void take(java.util.Date date, java.sql.Date other) {
    use(date);
  }

  void take(java.sql.Date date, java.util.Date other) {
    use(date);
  }

  <T extends Runnable> void shadow(T task) {
    task.run();
  }

  void shadow(Object task) {
    use(task);
  }

  <X extends K> void chain(X value) {
    use(value);
  }

  <X extends T, Y extends X> void chain(Y value, X other) {
    use(value);
  }

  static <T> void still(T value) {
    use(value);
  }

  static void still(Number value) {
    use(value);
  }

  int odd(int values[], String... names)[] {
    return new int[] {values.length, names.length};
  }

  static void use(Object value) {
    if (value == null) throw new IllegalArgumentException();
  }

  class Inner<T extends CharSequence> {
    void inner(T text, K key) {
      use(text.length());
    }

    void inner(Object text, Object key) {
      use(text);
    }
  }

  static class Entry2 implements Entry<String, Integer> {
    @Override
    public String getKey() {
      return "key";
    }

    @Override
    public Integer getValue() {
      return 1;
    }

    @Override
    public Integer setValue(Integer value) {
      return value;
    }
  }

  static class ByLength implements Comparator<String>, Comparable<ByLength> {
    @Override
    public int compare(String left, String right) {
      return left.length() - right.length();
    }

    @Override
    public int compareTo(ByLength other) {
      return 0;
    }
  }

  abstract static class Base<E> {
    abstract E make(E from);

    Object copy() {
      return this;
    }

    public void visible() {
      use(this);
    }
  }

  public static class Derived extends Base<String> {
    @Override
    String make(String from) {
      return from + "!";
    }

    String make(Integer from) {
      return from.toString();
    }

    @Override
    Derived copy() {
      return new Derived();
    }
  }

  interface Handler<E extends Exception> {
    void handle(E problem, List<? super E> all) throws E;
  }

  static final Handler<RuntimeException> HANDLER = new Handler<RuntimeException>() {
    @Override
    public void handle(RuntimeException problem, List<? super RuntimeException> all) {
      all.add(problem);
    }
  };

  abstract int bodiless(T value, List<K>[] lists);

  abstract int bodiless(String value, List<K> list);

  native void machine(B number);

  void receiver(Generics<T, K, B> this, int x) {
    use(x);
  }

  List<T> result() {
    return new ArrayList<>();
  }
}
