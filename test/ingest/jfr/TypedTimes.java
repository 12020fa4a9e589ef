// Threads that do one thing each, so that a recording of them can be compared with their own clocks.
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Threads that do one thing each for some seconds, and a line a thread with what their own clocks say: name, alive, on a processor. */
final class TypedTimes {
  private static final Object LOCK = new Object();
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    long millis = Long.parseLong(args[0]);
    List<Thread> threads = new ArrayList<>();
    for (String name : new String[] {"burner-a", "burner-b"}) threads.add(thread(name, millis, TypedTimes::burn));
    threads.add(thread("sleeper", millis, TypedTimes::rest));
    threads.add(thread("holder", millis, TypedTimes::hold));
    threads.add(thread("waiter", millis, TypedTimes::enter));
    for (Thread each : threads) each.start();
    for (Thread each : threads) each.join();
  }

  private static Thread thread(String name, long millis, Runnable step) {
    return new Thread(
        () -> {
          long begin = System.nanoTime();
          while (System.nanoTime() - begin < millis * 1_000_000) step.run();
          long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
          System.out.println(name + " " + (System.nanoTime() - begin) + " " + cpu);
        },
        name);
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
