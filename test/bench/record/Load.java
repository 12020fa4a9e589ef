// Work for measuring what recording costs: amounts of it on command, or as much as goes until the process is ended.
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ObjectName;

public class Load {
  static final AtomicLong SINK = new AtomicLong();
  static final Object LOCK = new Object();
  static final int CORES = Math.max(2, Runtime.getRuntime().availableProcessors());

  /** `idle`; `KIND forever`; or `KIND`, which answers each line of its input with one line. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("idle")) Thread.sleep(Long.MAX_VALUE);
    var crew = new Crew(workersFor(args[0]));
    while (args.length > 1 && args[1].equals("forever")) crew.work(Integer.MAX_VALUE);
    var in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split(" ", 2);
      if (words[0].equals("work")) {
        crew.work(Integer.parseInt(words[1]));
        System.out.println("done");
      } else {
        System.out.println(diagnosed(words[0], words[1].split(" ")).replace('\n', ' '));
      }
    }
    System.exit(0);
  }

  /** Runs an operation of `jcmd` in this JVM, without a process beside it. */
  static String diagnosed(String operation, String[] arguments) throws Exception {
    var name = new ObjectName("com.sun.management:type=DiagnosticCommand");
    var signature = new String[] {String[].class.getName()};
    return (String) ManagementFactory.getPlatformMBeanServer().invoke(name, operation, new Object[] {arguments}, signature);
  }

  interface Worker {
    void unit(int number) throws Exception;
  }

  /** More threads than cores where they wait for each other, so that no core has nothing to do. */
  static List<Worker> workersFor(String kind) throws Exception {
    var workers = new ArrayList<Worker>();
    int threads = kind.equals("recursion") ? CORES : 4 * CORES;
    for (int i = 0; i < threads; i++) {
      workers.add(switch (kind) {
        case "recursion" -> Load::recursion;
        case "locks" -> Load::locks;
        case "requests" -> client();
        default -> throw new IllegalArgumentException(kind);
      });
    }
    return workers;
  }

  /** Threads that share work until there is none left, and stay afterwards: the CPU time of one that ended cannot be read. */
  static class Crew {
    final AtomicInteger left = new AtomicInteger();
    final CyclicBarrier barrier;

    Crew(List<Worker> workers) {
      barrier = new CyclicBarrier(workers.size() + 1);
      for (int i = 0; i < workers.size(); i++) {
        var worker = workers.get(i);
        daemon("load-" + i, () -> {
          while (true) {
            barrier.await();
            for (int number; (number = left.decrementAndGet()) >= 0; ) worker.unit(number);
            barrier.await();
          }
        });
      }
    }

    void work(int units) throws Exception {
      left.set(units);
      barrier.await();
      barrier.await();
    }
  }

  interface Task {
    void run() throws Exception;
  }

  static void daemon(String name, Task task) {
    var thread = new Thread(() -> {
      try {
        task.run();
      } catch (Exception e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Stacks some 200 frames deep, busy at every level. */
  static void recursion(int number) {
    for (int i = 0; i < 20; i++) SINK.addAndGet(descend(200, i + number));
  }

  static long descend(int depth, long seed) {
    long value = seed;
    for (int i = 0; i < 40; i++) value = value * 6364136223846793005L + 1442695040888963407L;
    return depth == 0 ? value : descend(depth - 1, value) ^ value;
  }

  /** A lock that all want, held for a moment, and an exception now and then. */
  static void locks(int number) {
    for (int i = 0; i < 100; i++) {
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

  /** Requests over the loopback interface, with garbage; the connection stays. */
  static Worker client() throws Exception {
    var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    daemon("server", () -> answer(server));
    var socket = new Socket(server.getInetAddress(), server.getLocalPort());
    socket.setTcpNoDelay(true);
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    byte[] request = new byte[512];
    return number -> {
      for (int i = 0; i < 10; i++) {
        out.write(request);
        in.readNBytes(512);
        var text = new StringBuilder();
        for (int k = 0; k < 200; k++) text.append(k * i).append(' ');
        SINK.addAndGet(text.toString().split(" ").length + descend(30, i));
      }
    };
  }

  static void answer(ServerSocket server) throws Exception {
    try (var socket = server.accept()) {
      socket.setTcpNoDelay(true);
      byte[] bytes;
      while ((bytes = socket.getInputStream().readNBytes(512)).length == 512) {
        SINK.addAndGet(descend(30, bytes.length));
        socket.getOutputStream().write(bytes);
      }
    }
  }
}
