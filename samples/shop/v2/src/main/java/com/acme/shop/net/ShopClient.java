// Speaks to the server over one connection.
package com.acme.shop.net;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** For one thread. */
public final class ShopClient implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    public ShopClient(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        this.socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Sends a request and waits for its answer. */
    public String ask(Command command, String argument) throws IOException {
        Wire.send(out, command + " " + argument);
        return Wire.receive(in);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
