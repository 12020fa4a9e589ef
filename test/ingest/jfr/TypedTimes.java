// Threads that do one thing each, so that a recording of them can be compared with their own clocks.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** Threads that do one thing each for some seconds, and a line a thread with what their own clocks say: name, alive, on a processor. */
final class TypedTimes {
  private static final Object LOCK = new Object();
  /** Loaded before the threads begin: loading and printing enter monitors, and a thread that waited there would do more than one thing. */
  private static final ThreadMXBean PROCESSOR_TIMES = ManagementFactory.getThreadMXBean();
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    long millis = Long.parseLong(args[0]);
    List<Measured> threads = new ArrayList<>();
    for (String name : new String[] {"burner-a", "burner-b"}) threads.add(new Measured(name, millis, TypedTimes::burn));
    threads.add(new Measured("sleeper", millis, TypedTimes::rest));
    threads.add(new Measured("holder", millis, TypedTimes::hold));
    threads.add(new Measured("waiter", millis, TypedTimes::enter));
    for (Thread each : threads) each.start();
    for (Thread each : threads) each.join();
    for (Measured each : threads) System.out.println(each.getName() + " " + each.alive + " " + each.onProcessor);
  }

  /** Repeats one step for some time. */
  private static final class Measured extends Thread {
    private final long millis;
    private final Runnable step;
    /** Nanoseconds. */
    long alive;
    long onProcessor;

    Measured(String name, long millis, Runnable step) {
      super(name);
      this.millis = millis;
      this.step = step;
    }

    @Override
    public void run() {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < millis * 1_000_000) step.run();
      onProcessor = PROCESSOR_TIMES.getCurrentThreadCpuTime();
      alive = System.nanoTime() - begin;
    }
  }

  private static void burn() {
    long sum = sink;
    for (int i = 0; i < 1_000_000; i++) sum = sum * 31 + i;
    sink = sum;
  }

  private static void rest() {
    pause(100);
  }

  /** Has the monitor for nine tenths of the time. */
  private static void hold() {
    synchronized (LOCK) {
      pause(90);
    }
    pause(10);
  }

  private static void enter() {
    synchronized (LOCK) {
      sink++;
    }
    pause(5);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
