// Fixed amounts of work for measuring what recording costs: prints the CPU time that the process took for one of them.
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

public class Load {
  static final AtomicLong SINK = new AtomicLong();
  static final Object LOCK = new Object();

  public static void main(String[] args) throws Exception {
    if (args[0].equals("idle")) {
      Thread.sleep(Long.MAX_VALUE);
    }
    int units = Integer.parseInt(args[1]);
    run(args[0], Math.max(1, units / 4));
    Recording recording = null;
    if (!args[2].equals("none")) {
      recording = new Recording(Configuration.create(Path.of(args[2])));
      recording.setMaxSize(64 << 20);
      recording.start();
      run(args[0], Math.max(1, units / 10));
    }
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long started = System.nanoTime();
    long before = system.getProcessCpuTime();
    run(args[0], units);
    long cpu = system.getProcessCpuTime() - before;
    long wall = System.nanoTime() - started;
    if (recording != null) recording.close();
    System.out.println(cpu + " " + wall + " " + Runtime.getRuntime().availableProcessors());
  }

  interface Work {
    void run(int thread, int units) throws Exception;
  }

  static void run(String kind, int units) throws Exception {
    switch (kind) {
      case "recursion" -> onAllCores(units, Load::recursion);
      case "locks" -> onAllCores(units, Load::locks);
      case "requests" -> onAllCores(units, Load::requests);
      default -> throw new IllegalArgumentException(kind);
    }
  }

  static void onAllCores(int units, Work work) throws Exception {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    var done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      int number = t;
      new Thread(() -> {
        try {
          work.run(number, units);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        } finally {
          done.countDown();
        }
      }, "load-" + t).start();
    }
    done.await();
  }

  /** Stacks some 200 frames deep, busy at every level. */
  static void recursion(int thread, int units) {
    for (int i = 0; i < units * 40; i++) SINK.addAndGet(descend(200, i + thread));
  }

  static long descend(int depth, long seed) {
    long value = seed;
    for (int i = 0; i < 40; i++) value = value * 6364136223846793005L + 1442695040888963407L;
    return depth == 0 ? value : descend(depth - 1, value) ^ value;
  }

  /** A lock that all want, held for a moment, and an exception now and then. */
  static void locks(int thread, int units) {
    for (int i = 0; i < units * 25; i++) {
      long value = descend(20, i);
      synchronized (LOCK) {
        value += descend(10, value);
      }
      try {
        if ((i & 15) == 0) throw new IllegalStateException("expected");
      } catch (IllegalStateException e) {
        value += e.getStackTrace().length;
      }
      SINK.addAndGet(value);
    }
  }

  /** Requests over the loopback interface, with garbage. */
  static void requests(int thread, int units) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var answering = new Thread(() -> answer(server), "server-" + thread);
      answering.start();
      try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.setTcpNoDelay(true);
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        byte[] request = new byte[512];
        for (int i = 0; i < units; i++) {
          out.write(request);
          in.readNBytes(512);
          var text = new StringBuilder();
          for (int k = 0; k < 200; k++) text.append(k * i).append(' ');
          SINK.addAndGet(text.toString().split(" ").length + descend(30, i));
        }
      }
      answering.join();
    }
  }

  static void answer(ServerSocket server) {
    try (var socket = server.accept()) {
      socket.setTcpNoDelay(true);
      byte[] bytes;
      while ((bytes = socket.getInputStream().readNBytes(512)).length == 512) {
        SINK.addAndGet(descend(30, bytes.length));
        socket.getOutputStream().write(bytes);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
