// Threads that wait for each other at locks in known ways, with clocks that say who had each lock while others waited.
import java.io.File;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.ObjectName;

/**
 * Its threads wait for a file, then run for some milliseconds, while thread dumps of them are written where a file is named. Then a line a thread: name, and nanoseconds alive, on a processor, and in
 * waits for locks that last at least so many milliseconds; and of these `=` the nanoseconds in which threads of each role had the lock.
 */
final class Holders {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    Role.millis = Long.parseLong(args[0]);
    Role.go = new File(args[1]);
    Role.leastNanos = Long.parseLong(args[2]) * 1_000_000;
    Watched convoy = new Watched();
    Watched swapped = new Watched();
    Watched pool = new Watched();
    Watched first = new Watched();
    Watched second = new Watched();
    Watched queue = new Watched();
    Watched owned = new Watched();
    List<Role> roles = new ArrayList<>();
    roles.add(new Heavy(convoy));
    for (int i = 1; i <= 3; i++) roles.add(new Light(convoy, i));
    for (int i = 1; i <= 2; i++) roles.add(new Entrant(swapped, i));
    roles.add(new Barger(swapped));
    roles.add(new Slow(pool));
    for (int i = 1; i <= 4; i++) roles.add(new Pooled(pool, i));
    roles.add(new First(first));
    roles.add(new Second(second));
    roles.add(new InARow(first, second));
    roles.add(new Producer(queue));
    roles.add(new Consumer(queue));
    roles.add(new Visitor(queue));
    roles.add(new Owner(owned));
    roles.add(new Asker(owned));
    roles.add(new Runner());
    for (Role each : roles) each.start();
    if (args.length > 3) dump(roles, new File(args[3]));
    for (Role each : roles) each.join();
    for (Role each : roles) System.out.println(each.clocks());
  }

  /** Writes thread dumps with the owners of locks, while all threads live, at intervals that no regular work has. */
  private static void dump(List<Role> roles, File file) throws Exception {
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    Object[] options = {new String[] {"-l"}};
    String[] signature = {String[].class.getName()};
    try (PrintWriter out = new PrintWriter(file)) {
      while (roles.stream().allMatch(Thread::isAlive)) {
        out.println(ManagementFactory.getPlatformMBeanServer().invoke(commands, "threadPrint", options, signature));
        pause(20 + (long) (60 * Math.random()));
      }
    }
  }

  /** A lock that notes who has it. */
  private static final class Watched {
    final ReentrantLock owned = new ReentrantLock();
    /** Moments at which the owner changes; an owner of null is none. Written by owners alone. */
    final List<Long> moments = new ArrayList<>();
    final List<String> owners = new ArrayList<>();
    volatile boolean isAboutToLeave;

    void note(String owner) {
      moments.add(System.nanoTime());
      owners.add(owner);
    }
  }

  private abstract static class Role extends Thread {
    static long millis;
    static long leastNanos;
    static File go;
    private final List<long[]> waits = new ArrayList<>();
    private final List<Watched> locks = new ArrayList<>();
    private final String role;
    private long begin;
    private long alive;
    private long onProcessor;

    Role(String name) {
      super(name);
      role = name.replaceAll("\\d+", "#");
    }

    abstract void step();

    @Override
    public void run() {
      // A recorder knows the begin of a thread to a second only, and tells this time from others: none of these threads parks elsewhere.
      while (!go.exists()) LockSupport.parkNanos(21_000_000);
      begin = System.nanoTime();
      long before = THREADS.getCurrentThreadCpuTime();
      while (!isOver()) step();
      onProcessor = THREADS.getCurrentThreadCpuTime() - before;
      alive = System.nanoTime() - begin;
    }

    boolean isOver() {
      return System.nanoTime() - begin >= millis * 1_000_000;
    }

    void in(Watched lock, Runnable held) {
      long from = System.nanoTime();
      synchronized (lock) {
        entered(lock, from);
        held.run();
        lock.note(null);
      }
    }

    void owning(Watched lock, Runnable held) {
      long from = System.nanoTime();
      lock.owned.lock();
      try {
        entered(lock, from);
        held.run();
        lock.note(null);
      } finally {
        lock.owned.unlock();
      }
    }

    private void entered(Watched lock, long from) {
      lock.note(role);
      waits.add(new long[] {from, System.nanoTime()});
      locks.add(lock);
    }

    String clocks() {
      long waited = 0;
      Map<String, Long> holders = new TreeMap<>();
      for (int i = 0; i < waits.size(); i++) {
        long from = waits.get(i)[0];
        long until = waits.get(i)[1];
        if (until - from < leastNanos) continue;
        waited += until - from;
        Watched lock = locks.get(i);
        int first = Collections.binarySearch(lock.moments, from);
        for (int at = Math.max(0, first < 0 ? -first - 2 : first); at < lock.moments.size(); at++) {
          if (lock.moments.get(at) > until) break;
          long end = at + 1 < lock.moments.size() ? lock.moments.get(at + 1) : Long.MAX_VALUE;
          long part = Math.min(until, end) - Math.max(from, lock.moments.get(at));
          if (part > 0 && lock.owners.get(at) != null)
            holders.merge(lock.owners.get(at), part, Long::sum);
        }
      }
      StringBuilder line = new StringBuilder(getName() + " " + alive + " " + onProcessor + " " + waited);
      holders.forEach((holder, nanos) -> line.append(" " + holder + "=" + nanos));
      return line.toString();
    }
  }

  /** In the convoy each thread waits for all others. */
  private static final class Heavy extends Role {
    private final Watched lock;

    Heavy(Watched lock) {
      super("heavy");
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(60));
      // Else a thread that gives a monitor back takes it again at once.
      pause(1);
    }
  }

  private static final class Light extends Role {
    private final Watched lock;

    Light(Watched lock, int number) {
      super("light-" + number);
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(10));
      pause(1);
    }
  }

  /** Enters after a wait, and has the monitor for long. */
  private static final class Entrant extends Role {
    private final Watched lock;

    Entrant(Watched lock, int number) {
      super("entrant-" + number);
      this.lock = lock;
    }

    @Override
    void step() {
      in(
          lock,
          () -> {
            pause(38);
            lock.isAboutToLeave = true;
            spin(2);
          });
      pause(1);
    }
  }

  /** Takes the monitor for a moment, before a thread that waits for it has woken. */
  private static final class Barger extends Role {
    private final Watched lock;

    Barger(Watched lock) {
      super("barger");
      this.lock = lock;
    }

    @Override
    void step() {
      while (!lock.isAboutToLeave && !isOver()) pause(1);
      lock.isAboutToLeave = false;
      in(lock, () -> spin(1));
    }
  }

  private static final class Slow extends Role {
    private final Watched lock;

    Slow(Watched lock) {
      super("slow");
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(60));
      pause(20);
    }
  }

  private static final class Pooled extends Role {
    private final Watched lock;

    Pooled(Watched lock, int number) {
      super("pooled-" + number);
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(1));
      pause(5);
    }
  }

  private static final class First extends Role {
    private final Watched lock;

    First(Watched lock) {
      super("first");
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(60));
      pause(10);
    }
  }

  private static final class Second extends Role {
    private final Watched lock;

    Second(Watched lock) {
      super("second");
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> pause(60));
      pause(10);
    }
  }

  private static final class InARow extends Role {
    private final Watched first;
    private final Watched second;

    InARow(Watched first, Watched second) {
      super("inarow");
      this.first = first;
      this.second = second;
    }

    @Override
    void step() {
      in(first, () -> sink++);
      in(second, () -> sink++);
      pause(1);
    }
  }

  private static final class Producer extends Role {
    private final Watched lock;

    Producer(Watched lock) {
      super("producer");
      this.lock = lock;
    }

    @Override
    void step() {
      in(
          lock,
          () -> {
            pause(50);
            lock.notifyAll();
          });
      pause(30);
    }
  }

  private static final class Consumer extends Role {
    private final Watched lock;

    Consumer(Watched lock) {
      super("consumer");
      this.lock = lock;
    }

    @Override
    void step() {
      in(
          lock,
          () -> {
            lock.note(null);
            try {
              lock.wait(1000);
            } catch (InterruptedException error) {
              Thread.currentThread().interrupt();
            }
            lock.note("consumer");
            pause(25);
          });
    }
  }

  private static final class Visitor extends Role {
    private final Watched lock;

    Visitor(Watched lock) {
      super("visitor");
      this.lock = lock;
    }

    @Override
    void step() {
      in(lock, () -> sink++);
      pause(10);
    }
  }

  private static final class Owner extends Role {
    private final Watched lock;

    Owner(Watched lock) {
      super("owner");
      this.lock = lock;
    }

    @Override
    void step() {
      owning(lock, () -> pause(60));
      pause(10);
    }
  }

  private static final class Asker extends Role {
    private final Watched lock;

    Asker(Watched lock) {
      super("asker");
      this.lock = lock;
    }

    @Override
    void step() {
      owning(lock, () -> sink++);
      pause(5);
    }
  }

  /** Runs for a part of its time. */
  private static final class Runner extends Role {
    Runner() {
      super("runner");
    }

    @Override
    void step() {
      spin(20);
      pause(30);
    }
  }

  private static void spin(long millis) {
    long begin = System.nanoTime();
    long sum = sink;
    while (System.nanoTime() - begin < millis * 1_000_000) for (int i = 0; i < 1000; i++) sum = sum * 31 + i;
    sink = sum;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
