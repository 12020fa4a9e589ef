// Starts the threads that keep the shop busy, and stops them.
package com.acme.shop.load;

import com.acme.shop.Shop;
import com.acme.shop.model.Order;
import com.acme.shop.net.ShopClient;
import com.acme.shop.net.ShopServer;
import com.acme.shop.queue.OrderQueue;
import com.acme.shop.report.Reports;
import com.acme.shop.search.QuerySyntaxException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One run of the load. */
public final class LoadDriver {
    /** Plays customers. */
    private final class Worker implements Runnable {
        private final int number;

        private Worker(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            try (ShopClient client = new ShopClient(port)) {
                Session session = new Session(shop, client, seed + number);
                while (isRunning()) {
                    step(session);
                }
            } catch (IOException broken) {
                System.err.println("worker " + number + ": " + broken.getMessage());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void step(Session session) throws IOException, InterruptedException {
            try {
                Behaviour.next(session.random()).act(session);
                steps.increment();
            } catch (QuerySyntaxException wrong) {
                refused.increment();
            }
        }
    }

    private final Shop shop;
    private final int threads, seed;
    private final long end;
    /** Steps after which the run is over; 0 where the time decides. */
    private final int orders;
    private final LongAdder steps = new LongAdder(), refused = new LongAdder();
    private int port;
    public LoadDriver(Shop shop, int threads, int seed, int seconds, int orders) {
        this.shop = shop;
        this.threads = threads;
        this.seed = seed;
        this.orders = orders;
        this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Runs until the time is over; a line about what happened. */
    public String run() throws IOException, InterruptedException {
        AtomicInteger number = new AtomicInteger();
        ExecutorService processors = Executors.newFixedThreadPool(3, task -> new Thread(task, "processor-" + number.incrementAndGet()));
        try (ShopServer server = new ShopServer(shop)) {
            port = server.port();
            for (int i = 0; i < 3; i++) {
                processors.execute(new Processor(shop, queue(i), this::isRunning));
            }
            List<Thread> running = start();
            for (Thread thread : running) {
                thread.join();
            }
            processors.shutdownNow();
            processors.awaitTermination(5, TimeUnit.SECONDS);
        }
        return steps + " steps, " + refused + " wrong queries, " + shop.orders().size() + " orders kept";
    }

    private List<Thread> start() {
        List<Thread> threadsStarted = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            threadsStarted.add(new Thread(new Worker(i), "worker-" + i));
        }
        threadsStarted.add(new Thread(this::report, "reporter"));
        threadsStarted.add(new Thread(() -> {
            for (int round = 2; isRunning(); round++) {
                shop.learn(round);
                pause(40);
            }
        }, "learner"));
        threadsStarted.forEach(Thread::start);
        return threadsStarted;
    }

    private void report() {
        Reports reports = new Reports(shop);
        while (isRunning()) {
            try {
                reports.daily();
                if (shop.journal().verify() > 20_000) {
                    shop.journal().rotate();
                }
            } catch (IOException broken) {
                System.err.println("reporter: " + broken.getMessage());
            }
            pause(60);
        }
    }

    private OrderQueue<Order> queue(int number) {
        return shop.queues().get(number % shop.queues().size());
    }

    private boolean isRunning() {
        return orders == 0 ? System.nanoTime() < end : steps.sum() + refused.sum() < orders;
    }

    /** Where the amount of work is fixed, the pause is as many steps of the workers as they usually make in the time. */
    private void pause(long millis) {
        long mark = steps.sum() + 5 * millis;
        try {
            do {
                Thread.sleep(orders == 0 ? millis : 1);
            } while (orders > 0 && isRunning() && steps.sum() < mark);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
