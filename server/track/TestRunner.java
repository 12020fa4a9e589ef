// Runs one test class again and again for some seconds in one JVM, and writes how long a run takes once the JVM is warm.
package insitu;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Arguments: test class, seconds, file of the result, file of the recording, settings of Flight Recorder. */
public final class TestRunner {
  private TestRunner() {}

  public static void main(String[] arguments) throws Exception {
    String name = arguments[0];
    Path result = Paths.get(arguments[2]);
    Class<?> testClass;
    try {
      testClass = Class.forName(name, false, TestRunner.class.getClassLoader());
    } catch (ClassNotFoundException error) {
      write(result, "absent\tthe class is not in this commit\n");
      System.exit(0);
      return;
    }
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass)).build();
    Launcher launcher = LauncherFactory.create();
    if (!launcher.discover(request).containsTests()) {
      write(result, "absent\tthe class has no test\n");
      System.exit(0);
    }
    long nanos = (long) (Double.parseDouble(arguments[1]) * 1e9);
    write(result, measure(launcher, request, nanos, Paths.get(arguments[3]), Paths.get(arguments[4])));
    // Threads that a test has left do not hold up the end.
    System.exit(0);
  }

  /** The first third of the time is for the JVM to get warm; at least one run follows. */
  private static String measure(
      Launcher launcher, LauncherDiscoveryRequest request, long nanos, Path recorded, Path settings)
      throws Exception {
    Times times = new Times();
    // The first recording changes the code of the classes that it observes, which the JVM compiles again: that belongs to getting warm.
    Recording first = started(settings);
    long start = System.nanoTime();
    Recording recording = null;
    List<Long> runs = new ArrayList<>();
    while (true) {
      long before = System.nanoTime();
      boolean isOver = before - start >= nanos;
      if (isOver && !runs.isEmpty()) {
        break;
      }
      if (recording == null && before != start && before - start >= nanos / 3) {
        times.nanosOf.clear();
        recording = started(settings);
        first.close();
        before = System.nanoTime();
      }
      launcher.execute(request, times);
      if (times.failure != null) {
        return "failed\t" + times.failure.replaceAll("[\\r\\n\\t]+", " ") + "\n";
      }
      if (recording != null) {
        runs.add(System.nanoTime() - before);
      }
    }
    recording.stop();
    recording.dump(recorded);
    recording.close();
    StringBuilder text = new StringBuilder("runs\t" + runs.size() + "\nquartile\t" + quartileOf(runs) + "\n");
    times.nanosOf.forEach((method, sum) -> text.append("part\t" + method + "\t" + sum + "\n"));
    return text.toString();
  }

  private static Recording started(Path settings) throws Exception {
    Recording recording = new Recording(Configuration.create(settings));
    recording.start();
    return recording;
  }

  /**
   * A quarter of the runs take at most so long. The compiler, the collector of garbage and other programs hold up some runs and not
   * others: of JVMs that run the same code, lower quartiles differ by half as much as means.
   */
  private static long quartileOf(List<Long> nanos) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return sorted.get((sorted.size() - 1) / 4);
  }

  private static void write(Path file, String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** How long test methods took, and what failed first. */
  private static final class Times implements TestExecutionListener {
    private final Map<String, Long> started = new HashMap<>();
    final Map<String, Long> nanosOf = new TreeMap<>();
    String failure;

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        started.put(test.getUniqueId(), System.nanoTime());
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED && failure == null) {
        failure = test.getDisplayName() + ": " + result.getThrowable().map(String::valueOf).orElse("no reason given");
      }
      Long start = started.remove(test.getUniqueId());
      if (start == null) {
        return;
      }
      String method =
          test.getSource()
              .filter(MethodSource.class::isInstance)
              .map(source -> ((MethodSource) source).getMethodName())
              .orElse(test.getDisplayName());
      nanosOf.merge(method.replaceAll("[\\r\\n\\t]+", " "), System.nanoTime() - start, Long::sum);
    }
  }
}
