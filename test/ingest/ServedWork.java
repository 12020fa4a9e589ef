// Calls methods a known number of times, for long enough that an agent's own time is small beside it, and prints their times.
package work;

public final class ServedWork {
    private static volatile long sink;
    private static long serveNanos;

    private ServedWork() {}

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            long before = System.nanoTime();
            new ServedWork().serve(i);
            serveNanos += System.nanoTime() - before;
        }
        System.out.println("serve " + serveNanos);
    }

    /** 40 calls. */
    void serve(int n) throws InterruptedException {
        search(n);
        if (n % 2 == 0) {
            search(n + 1);
            store(3);
        }
    }

    /** 60 calls. */
    void search(int n) throws InterruptedException {
        Thread.sleep(10);
        rank(n);
    }

    /** 80 calls. */
    static int rank(int n) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += (long) i * n;
        }
        sink = sum;
        return n;
    }

    /** 80 calls: four deep, twenty times. */
    void store(int depth) {
        if (depth > 0) {
            store(depth - 1);
        } else {
            rank(depth);
        }
    }
}
