// The service under requests: JDK's HTTP server answers a client in the same JVM, and its timed methods are recorded once it is warm.
package shop;

import com.sun.net.httpserver.HttpServer;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

public final class Service {
  /** settings.jfc recording.jfr warm-up seconds, then seconds that are recorded; the names of the handlers follow. */
  public static void main(String[] args) throws Exception {
    Rates rates = new Rates();
    Answers desk = new Desk(new Store(), new Prices(), new Pages(), rates);
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var pool = Executors.newSingleThreadExecutor();
    server.setExecutor(pool);
    server.createContext("/", exchange -> {
      String[] path = exchange.getRequestURI().getPath().split("/");
      byte[] body = String.valueOf(desk.answer(path[1], Integer.parseInt(path[2]))).getBytes();
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    String root = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    List<String> handlers = List.of(args).subList(4, args.length);
    Configuration settings = Configuration.create(new StringReader(Files.readString(Path.of(args[0]))));
    // Tracing changes compiled code: it begins with the warm-up, and the second recording only takes part in it.
    try (Recording tracing = new Recording(settings); Recording kept = new Recording(settings)) {
      tracing.start();
      double warmUp = Double.parseDouble(args[2]);
      pool.submit(() -> directly(desk, handlers, 0.7 * warmUp)).get();
      requests(root, handlers, 0.3 * warmUp);
      kept.start();
      requests(root, handlers, Double.parseDouble(args[3]));
      kept.stop();
      kept.dump(Path.of(args[1]));
    }
    server.stop(0);
    rates.stop();
    pool.shutdown();
  }

  /** Warms up without the way through the server. */
  private static void directly(Answers desk, List<String> handlers, double seconds) {
    Random random = new Random(3);
    for (long end = System.nanoTime() + (long) (seconds * 1e9); System.nanoTime() < end; )
      desk.answer(handlers.get(random.nextInt(handlers.size())), random.nextInt(Store.IDS));
  }

  private static void requests(String root, List<String> handlers, double seconds) throws Exception {
    Random random = new Random(5);
    HttpClient client = HttpClient.newHttpClient();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      String handler = handlers.get(random.nextInt(handlers.size()));
      URI uri = URI.create(root + handler + "/" + random.nextInt(Store.IDS));
      var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new IllegalStateException(uri + " answers " + answer.statusCode());
    }
  }
}
