// Runs one method after the other, the next one whenever a line comes in: says when each was called first.
import java.util.concurrent.atomic.AtomicInteger;

public class Late {
  static volatile double sink;

  public static void main(String[] args) throws Exception {
    AtomicInteger wanted = new AtomicInteger();
    Thread reader = new Thread(() -> {
      try {
        while (System.in.read() >= 0) wanted.incrementAndGet();
      } catch (java.io.IOException e) {
        System.exit(1);
      }
      System.exit(0);
    });
    reader.setDaemon(true);
    reader.start();
    for (int running = -1; ; ) {
      int next = wanted.get();
      if (next != running) System.out.println(System.currentTimeMillis());
      running = next;
      switch (running % 6) {
        case 0: work0(); break;
        case 1: work1(); break;
        case 2: work2(); break;
        case 3: work3(); break;
        case 4: work4(); break;
        default: work5();
      }
    }
  }

  static void work0() {
    for (int i = 1; i < 100_000; i++) sink += Math.sqrt(i);
  }

  static void work1() {
    for (int i = 1; i < 100_000; i++) sink += Math.cbrt(i);
  }

  static void work2() {
    for (int i = 1; i < 100_000; i++) sink += Math.sin(i);
  }

  static void work3() {
    for (int i = 1; i < 100_000; i++) sink += Math.cos(i);
  }

  static void work4() {
    for (int i = 1; i < 100_000; i++) sink += Math.log(i);
  }

  static void work5() {
    for (int i = 1; i < 100_000; i++) sink += Math.exp(1.0 / i);
  }
}
