// What edits cost: each edited version beside an unchanged control, in alternating rounds, by the processor time of the thread, or by the clock where another thread answers.
package shop;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public final class Rounds {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Store STORE = new Store();
  private static final Prices PRICES = new Prices();
  private static final Pages PAGES = new Pages();
  private static final Rates RATES = rates();

  private static final int PAIRS = 3;
  private static final Answers SERVICE = new Desk(STORE, PRICES, PAGES, RATES);
  /** Handlers that wait for a server. */
  private static final List<String> WAITING = List.of("convert");
  private static final List<String> OTHERS = List.of(
      "review", "total", "suggest", "checkout", "report", "browse", "tree", "search", "export", "stockOf", "greet", "compare", "value");

  /** A loader of its own class Desk; all else is shared. */
  private static final class Version extends URLClassLoader {
    Version(Path folder) throws Exception {
      super(new URL[] {folder.toUri().toURL()}, Rounds.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("shop.Desk")) return super.loadClass(name, resolve);
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }

    Answers answers() throws Exception {
      return (Answers) loadClass("shop.Desk", true).getConstructors()[0].newInstance(STORE, PRICES, PAGES, RATES);
    }
  }

  /** folder with `control` and the versions, file for the results, rounds of a pair, milliseconds of a round; then `version:handler` each. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int rounds = Integer.parseInt(args[2]);
    long nanos = Long.parseLong(args[3]) * 1_000_000;
    List<String> lines = new ArrayList<>();
    for (String each : List.of(args).subList(4, args.length)) {
      String[] parts = each.split(":");
      StringBuilder line = new StringBuilder(parts[0]);
      // The compiler treats no two copies of a class alike: several pairs tell more than many rounds of one.
      for (int pair = 0; pair < PAIRS; pair++) {
        Answers edited = new Version(folder.resolve(parts[0])).answers();
        Answers control = new Version(folder.resolve("control")).answers();
        warm(edited, control, parts[1], nanos * 5);
        int calls = Math.min(callsIn(control, parts[1], nanos), callsIn(edited, parts[1], nanos));
        for (int round = 0; round < rounds; round++) {
          // The same ids in both, so that what differs is the edit.
          boolean isFirst = round % 2 == 0;
          double one = isFirst ? mean(edited, parts[1], calls, pair * 31 + round) : 0;
          double other = mean(control, parts[1], calls, pair * 31 + round);
          line.append(' ').append(isFirst ? one : mean(edited, parts[1], calls, pair * 31 + round)).append(' ').append(other);
        }
      }
      lines.add(line.toString());
    }
    Files.write(Path.of(args[1]), lines);
    RATES.stop();
  }

  private static Rates rates() {
    try {
      return new Rates();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void warm(Answers one, Answers other, String handler, long nanos) {
    for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
      mean(one, handler, 5, 3);
      mean(other, handler, 5, 3);
    }
  }

  private static int callsIn(Answers answers, String handler, long nanos) {
    int calls = 0;
    for (long end = System.nanoTime() + nanos; System.nanoTime() < end; calls += 5) mean(answers, handler, 5, calls);
    return Math.max(5, calls);
  }

  /** Nanoseconds of a call, each behind another one, as in a service. */
  private static double mean(Answers answers, String handler, int calls, long seed) {
    Random random = new Random(seed);
    long nanos = 0;
    for (int i = 0; i < calls; i++) {
      kept = SERVICE.answer(OTHERS.get(random.nextInt(OTHERS.size())), random.nextInt(Store.IDS));
      int id = random.nextInt(Store.IDS);
      long began = nanos(handler);
      kept = answers.answer(handler, id);
      nanos += nanos(handler) - began;
    }
    return nanos / (double) calls;
  }

  private static long nanos(String handler) {
    return WAITING.contains(handler) ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
  }

  static volatile Object kept;
}
