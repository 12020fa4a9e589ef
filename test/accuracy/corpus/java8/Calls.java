// Calls with and without call syntax: chains over lines, for-each, resources, concatenation, boxing, switch, assert.
package corpus;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

public class Calls {
  String chain(List<String> list) {
    return list.stream()
        .filter(each -> !each.isEmpty())
        .map(String::trim)
        .reduce(
            "",
            (left, right) -> left + right)
        .toString();
  }

  int loops(Iterable<Integer> numbers, Map<String, Integer> counts) {
    int sum = 0;
    for (int number : numbers) sum += number;
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      sum += entry.getValue();
      counts.put(entry.getKey(), sum);
    }
    Integer boxed = sum;
    boxed++;
    return boxed;
  }

  void resources(Closeable given) throws IOException {
    try (Closeable first = given;
        Closeable second = () -> given.close()) {
      first.close();
    } finally {
      given.close();
    }
  }

  String text(int number, Object value) {
    String text = "n = " + number + ", " + value;
    text += number;
    return text;
  }

  int choose(String name, TimeUnit unit) {
    switch (name) {
      case "one":
        return 1;
      case "two":
        return 2;
      default:
        break;
    }
    switch (unit) {
      case SECONDS:
        return 3;
      default:
        return 4;
    }
  }

  void check(int x) {
    assert x > 0 : "not positive: " + x;
    assert x < 100;
    synchronized (this) {
      notifyAll();
    }
  }

  Object create(int x) {
    return new ArrayList<String>(
        new ArrayList<>(
            x));
  }

  class Outer {
    class Inner {}
  }

  Object outer(Outer outer) {
    return outer.new Inner();
  }
}
