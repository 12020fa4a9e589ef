// Runs a synthetic load with many different deep stacks, for recordings that the reading benchmark makes by itself.
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code java LoadMaker.java WALKS THREADS DEPTH SEED}: each thread walks so many times randomly through {@link Step}s that call each other
 * and does at the end of each walk one of: compute, allocate, park, throw.
 */
public final class LoadMaker {
    private static volatile Object sink;

    private LoadMaker() {}

    public static void main(String[] args) throws InterruptedException {
        int walks = Integer.parseInt(args[0]);
        int depth = Integer.parseInt(args[2]);
        long seed = Long.parseLong(args[3]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            Random random = new Random(seed * 1000 + i);
            threads.add(new Thread(() -> walk(random, depth, walks), "load-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void walk(Random random, int depth, int walks) {
        for (int i = 0; i < walks; i++) {
            // Many walks share their first steps, as requests share a framework.
            Step.of(random.nextInt(4)).take(new Walk(random, depth / 2 + random.nextInt(depth)));
        }
    }

    /** How far to go, and what to do there. */
    record Walk(Random random, int left) {
        Walk further() {
            return new Walk(random, left - 1);
        }

        int next(int step) {
            // Mostly one of few callees, at times any.
            return random.nextInt(6) > 0 ? step * 3 + random.nextInt(2) : random.nextInt(64);
        }

        void arrive() {
            switch (random.nextInt(8)) {
                case 0 -> sink = new byte[8_192 + random.nextInt(16_384)];
                case 1 -> LockSupport.parkNanos(20_000);
                case 2 -> sink = failure();
                default -> compute();
            }
        }

        private Object failure() {
            try {
                throw new IllegalStateException("nothing to be found here");
            } catch (IllegalStateException expected) {
                return expected;
            }
        }

        private void compute() {
            long sum = random.nextLong();
            for (int i = 0; i < 20_000; i++) {
                sum = sum * 31 + i;
            }
            sink = sum;
        }
    }

    /** One step of a walk; steps of one kind call the next from different lines. */
    interface Step {
        void take(Walk walk);

        static Step of(int number) {
            return switch (number & 7) {
                case 0 -> LoadMaker::first;
                case 1 -> LoadMaker::second;
                case 2 -> LoadMaker::third;
                case 3 -> LoadMaker::fourth;
                case 4 -> new Fifth();
                case 5 -> new Sixth();
                case 6 -> walk -> go(walk, 6);
                default -> walk -> go(walk, 7);
            };
        }
    }

    private static void go(Walk walk, int from) {
        if (walk.left() <= 0) {
            walk.arrive();
        } else {
            Step.of(walk.next(from)).take(walk.further());
        }
    }

    private static void first(Walk walk) {
        go(walk, 0);
    }

    private static void second(Walk walk) {
        if ((walk.left() & 1) == 0) {
            go(walk, 1);
        } else {
            go(walk, 2);
        }
    }

    private static void third(Walk walk) {
        switch (walk.left() & 3) {
            case 0 -> go(walk, 3);
            case 1 -> go(walk, 4);
            case 2 -> first(walk);
            default -> second(walk);
        }
    }

    private static void fourth(Walk walk) {
        go(walk, walk.left());
    }

    private static final class Fifth implements Step {
        @Override
        public void take(Walk walk) {
            third(walk);
        }
    }

    private static final class Sixth implements Step {
        @Override
        public void take(Walk walk) {
            fourth(walk);
        }
    }
}
