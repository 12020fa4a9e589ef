// Rates of exchange: asked of a server on this machine, by JDK's client of HTTP.
package shop;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public final class Rates {
  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpServer server;
  private final String root;

  public Rates() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = String.valueOf(1 + exchange.getRequestURI().getPath().hashCode() % 7).getBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    root = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  public long rate(int id) {
    try {
      var request = HttpRequest.newBuilder(URI.create(root + Math.floorMod(id, 9))).build();
      return Long.parseLong(client.send(request, BodyHandlers.ofString()).body());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public void stop() {
    server.stop(0);
  }
}
