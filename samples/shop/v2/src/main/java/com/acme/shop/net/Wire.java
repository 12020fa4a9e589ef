// How requests and answers look on the line: a length, a check sum, then text.
package com.acme.shop.net;

import com.acme.shop.store.Checksum;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes and reads frames. */
final class Wire {
    private Wire() {
    }

    static void send(DataOutputStream out, String text) throws IOException {
        send(out, text.getBytes(StandardCharsets.UTF_8));
    }

    static void send(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.writeInt(Checksum.of(bytes));
        out.write(bytes);
        out.flush();
    }

    static String receive(DataInputStream in) throws IOException {
        int length = in.readInt();
        int sum = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (sum != Checksum.of(bytes)) {
            throw new IOException("damaged frame of " + length + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
