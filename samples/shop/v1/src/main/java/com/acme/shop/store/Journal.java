// Writes closed orders to a file and can read them back.
package com.acme.shop.store;

import com.acme.shop.model.Order;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** One line an order, each with its check sum. */
public final class Journal {
    private final Path file;
    private final List<String> pending = new ArrayList<>();

    public Journal(Path file) {
        this.file = file;
    }

    /** Remembers an order; a full batch is written by the caller's thread. */
    public void append(Order order) throws IOException {
        String line = format(order);
        List<String> batch;
        synchronized (pending) {
            pending.add(line + "#" + Integer.toHexString(Checksum.of(line)));
            if (pending.size() < 64) {
                return;
            }
            batch = List.copyOf(pending);
            pending.clear();
        }
        write(batch);
    }

    /** Reads the whole file; the number of sound lines. A line that is just being written is not sound yet. */
    public int verify() throws IOException {
        int sound = 0;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                int hash = line.lastIndexOf('#');
                if (hash > 0 && Integer.toHexString(Checksum.of(line.substring(0, hash))).equals(line.substring(hash + 1))) {
                    sound++;
                }
            }
        }
        return sound;
    }

    /** Starts the file anew. */
    public synchronized void rotate() throws IOException {
        Files.writeString(file, "");
    }

    private synchronized void write(List<String> batch) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(
                file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line : batch) {
                writer.write(line);
                writer.newLine();
            }
        }
    }

    private static String format(Order order) {
        StringBuilder line = new StringBuilder("order ").append(order.id())
                .append(" customer ").append(order.customer().id())
                .append(" total ").append(order.total())
                .append(' ').append(order.state());
        for (Order.Line part : order.lines()) {
            line.append(' ').append(part.quantity()).append('x').append(part.product().name());
        }
        return line.toString();
    }
}
