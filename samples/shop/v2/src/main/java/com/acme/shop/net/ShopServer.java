// Listens on the loopback interface and answers requests.
package com.acme.shop.net;

import com.acme.shop.Shop;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** One thread accepts, a pool answers. */
public final class ShopServer implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Shop shop;
    private final ServerSocket listener;
    private final ExecutorService pool = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "server-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    public ShopServer(Shop shop) throws IOException {
        this.shop = shop;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept, "acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                pool.execute(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))) {
            while (true) {
                Wire.send(out, Command.answer(shop, Wire.receive(in)));
            }
        } catch (EOFException done) {
            return;
        } catch (IOException broken) {
            System.err.println("connection lost: " + broken.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        pool.shutdownNow();
    }
}
