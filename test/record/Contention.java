// Threads that compete in different ways, so that what a recorder tells of them can be compared with their own clocks.
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Its threads wait for a file, then run for some milliseconds; then a line a thread: name, and nanoseconds alive, on a processor, blocked at monitors. */
final class Contention {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Object CONVOY = new Object();
  private static final Object INVERTED = new Object();
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    long millis = Long.parseLong(args[0]);
    File go = new File(args[1]);
    THREADS.setThreadContentionMonitoringEnabled(true);
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= 6; i++) threads.add(thread("spinner-" + i, go, millis, Contention::burn));
    for (int i = 1; i <= 3; i++) threads.add(thread("convoy-" + i, go, millis, Contention::inConvoy));
    Thread low = thread("lowly", go, millis, Contention::holdInverted);
    low.setPriority(Thread.MIN_PRIORITY);
    threads.add(low);
    Thread high = thread("urgent", go, millis, Contention::enterInverted);
    high.setPriority(Thread.MAX_PRIORITY);
    threads.add(high);
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread writer = new Thread(() -> writeSlowly(server), "writer");
    writer.setDaemon(true);
    writer.start();
    Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
    InputStream in = socket.getInputStream();
    threads.add(thread("reader", go, millis, () -> readFrom(in)));
    for (Thread each : threads) each.start();
    for (Thread each : threads) each.join();
  }

  private static Thread thread(String name, File go, long millis, Runnable step) {
    return new Thread(
        () -> {
          // A recorder knows the begin of a thread to a second only.
          while (!go.exists()) pause(20);
          long begin = System.nanoTime();
          while (System.nanoTime() - begin < millis * 1_000_000) step.run();
          ThreadInfo info = THREADS.getThreadInfo(Thread.currentThread().getId());
          long alive = System.nanoTime() - begin;
          long blocked = info.getBlockedTime() * 1_000_000;
          System.out.println(name + " " + alive + " " + THREADS.getCurrentThreadCpuTime() + " " + blocked);
        },
        name);
  }

  private static void burn() {
    long sum = sink;
    for (int i = 0; i < 1_000_000; i++) sum = sum * 31 + i;
    sink = sum;
  }

  /** One of three has the monitor, the others wait for it. */
  private static void inConvoy() {
    synchronized (CONVOY) {
      pause(60);
    }
    // Else a thread that gives a monitor back takes it again at once.
    pause(1);
  }

  private static void holdInverted() {
    synchronized (INVERTED) {
      pause(150);
    }
    pause(50);
  }

  private static void enterInverted() {
    synchronized (INVERTED) {
      sink++;
    }
    pause(20);
  }

  private static void readFrom(InputStream in) {
    try {
      in.read();
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  private static void writeSlowly(ServerSocket server) {
    try (Socket socket = server.accept()) {
      OutputStream out = socket.getOutputStream();
      for (;;) {
        pause(200);
        out.write(1);
      }
    } catch (Exception error) {
      // The reader has ended.
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
