// Runs work of every kind for some milliseconds: computing, sleeping, allocating, waiting for a lock, and native memory.
import java.nio.ByteBuffer;

public class ProfiledWork {
    private static final Object LOCK = new Object();
    private static volatile Object sink;
    private static volatile long sum;

    public static void main(String[] args) throws InterruptedException {
        for (Runnable work : new Runnable[] {
                ProfiledWork::compute, ProfiledWork::idle, ProfiledWork::allocate, ProfiledWork::contend,
                ProfiledWork::contend, ProfiledWork::direct}) {
            Thread thread = new Thread(() -> {
                while (true) work.run();
            }, "work; of a kind");
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(Integer.parseInt(args[0]));
    }

    private static void compute() {
        for (int i = 0; i < 1_000_000; i++) sum += i ^ sum;
    }

    private static void idle() {
        pause(5);
    }

    private static void allocate() {
        for (int i = 0; i < 100; i++) sink = new byte[50_000];
        pause(1);
    }

    private static void contend() {
        synchronized (LOCK) {
            pause(2);
        }
    }

    private static void direct() {
        sink = ByteBuffer.allocateDirect(100_000);
        pause(3);
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
