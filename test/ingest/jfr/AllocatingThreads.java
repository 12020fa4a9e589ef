// Allocates inside and outside of allocation buffers, in platform and virtual threads, for the test of events that the samples lack.
public final class AllocatingThreads {
    private static volatile Object sink;

    private AllocatingThreads() {}

    public static void main(String[] args) throws InterruptedException {
        Thread platform = new Thread(() -> small(40_000), "platform-1");
        Thread named = Thread.ofVirtual().name("virtual-1").start(() -> small(40_000));
        Thread unnamed = Thread.startVirtualThread(() -> large(20));
        platform.start();
        for (Thread thread : new Thread[] {platform, named, unnamed}) {
            thread.join();
        }
        large(20);
    }

    /** Ends in new allocation buffers now and then. */
    static void small(int times) {
        for (int i = 0; i < times; i++) {
            sink = new byte[1_000 + i % 100];
        }
    }

    /** Does not fit into a buffer. */
    static void large(int times) {
        for (int i = 0; i < times; i++) {
            sink = new byte[4_000_000 + i];
        }
    }
}
