// Calls methods a known number of times, for the test of traced and timed methods.
public final class TracedCalls {
    private static volatile long sink;

    private TracedCalls() {}

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 30; i++) {
            outer(i);
        }
        Thread second = new Thread(() -> outer(7), "second");
        second.start();
        second.join();
    }

    /** 31 calls. */
    static void outer(int n) {
        inner(n);
        inner(n + 1);
        if (n % 3 == 0) {
            recurse(3);
        }
    }

    /** 72 calls: two of each of the 31 above and one of each of the ten rounds of recursion. */
    static void inner(int n) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += (long) i * n;
        }
        sink = sum;
    }

    /** 40 calls. */
    static void recurse(int depth) {
        if (depth > 0) {
            recurse(depth - 1);
        } else {
            inner(depth);
        }
    }
}
