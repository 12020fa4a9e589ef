// Speaks to a language server through LSP4J as LSP4IJ does; lines of JSON on the input say what to ask, lines of JSON tell what came.

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.ConfigurationItem;
import org.eclipse.lsp4j.ConfigurationParams;
import org.eclipse.lsp4j.MessageActionItem;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.ProgressParams;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.RegistrationParams;
import org.eclipse.lsp4j.ShowDocumentParams;
import org.eclipse.lsp4j.ShowDocumentResult;
import org.eclipse.lsp4j.ShowMessageRequestParams;
import org.eclipse.lsp4j.UnregistrationParams;
import org.eclipse.lsp4j.WorkDoneProgressCreateParams;
import org.eclipse.lsp4j.WorkspaceFolder;
import org.eclipse.lsp4j.jsonrpc.RemoteEndpoint;
import org.eclipse.lsp4j.jsonrpc.json.JsonRpcMethod;
import org.eclipse.lsp4j.jsonrpc.json.MessageJsonHandler;
import org.eclipse.lsp4j.jsonrpc.services.ServiceEndpoints;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/**
 * Started with the command line of the server. Each line of the input is one of
 * {@code {"id": 1, "method": …, "params": …}} for a request, the same without an id for a notification,
 * {@code {"settings": …}} for what workspace/configuration is answered with from now on, and {@code {"choose": …}} for the title
 * that is chosen when the server asks. Each line of the output is {@code {"id": 1, "result": …}}, {@code {"id": 1, "error": …}} or
 * {@code {"received": method, "params": …}}, of which the first, {@code ready}, says that the server is about to be started. Parameters and results go through LSP4J's own types in both directions, so that what
 * those do not know or cannot hold is missing or an error.
 */
public class Lsp4jClient implements LanguageClient {
  private static final Map<String, JsonRpcMethod> METHODS = ServiceEndpoints.getSupportedMethods(LanguageServer.class);
  private static final Gson GSON = new MessageJsonHandler(METHODS).getGson();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private volatile JsonObject settings = new JsonObject();
  private volatile String choice = null;

  public static void main(String[] command) throws IOException, InterruptedException {
    report("ready", null);
    Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Lsp4jClient client = new Lsp4jClient();
    // Messages that lack what the protocol requires are errors here; LSP4IJ itself is not that strict.
    var launcher = LSPLauncher.createClientLauncher(client, server.getInputStream(), server.getOutputStream(), true, null);
    launcher.startListening();
    RemoteEndpoint endpoint = launcher.getRemoteEndpoint();
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      client.obey(JsonParser.parseString(line).getAsJsonObject(), endpoint);
    }
    boolean ended = server.waitFor(10, TimeUnit.SECONDS);
    server.destroyForcibly();
    System.exit(ended ? server.exitValue() : 1);
  }

  private void obey(JsonObject line, RemoteEndpoint endpoint) {
    if (line.has("settings")) {
      settings = line.getAsJsonObject("settings");
    } else if (line.has("choose")) {
      choice = line.get("choose").isJsonNull() ? null : line.get("choose").getAsString();
    } else if (line.has("id")) {
      ask(line, endpoint);
    } else {
      endpoint.notify(line.get("method").getAsString(), parameters(line));
    }
  }

  private static void ask(JsonObject line, RemoteEndpoint endpoint) {
    JsonObject answer = new JsonObject();
    answer.add("id", line.get("id"));
    String method = line.get("method").getAsString();
    endpoint.request(method, parameters(line)).whenComplete((result, error) -> {
      try {
        if (error != null) answer.addProperty("error", String.valueOf(error.getMessage()));
        else answer.add("result", GSON.toJsonTree(result, METHODS.get(method).getReturnType()));
      } catch (RuntimeException problem) {
        answer.addProperty("error", "the result cannot be written: " + problem);
      }
      write(answer);
    });
  }

  private static Object parameters(JsonObject line) {
    Type[] types = METHODS.get(line.get("method").getAsString()).getParameterTypes();
    JsonElement params = line.get("params");
    return types.length == 0 || params == null ? null : GSON.fromJson(params, types[0]);
  }

  private static synchronized void write(JsonObject line) {
    OUT.println(line);
  }

  private static void report(String method, Object params) {
    JsonObject line = new JsonObject();
    line.addProperty("received", method);
    line.add("params", GSON.toJsonTree(params));
    write(line);
  }

  private static CompletableFuture<Void> done(String method, Object params) {
    report(method, params);
    return CompletableFuture.completedFuture(null);
  }

  /** Opens the file as LSP4IJ does: it succeeds where there is one. */
  @Override
  public CompletableFuture<ShowDocumentResult> showDocument(ShowDocumentParams params) {
    boolean found = params.getUri().startsWith("file:") && Files.isReadable(Path.of(URI.create(params.getUri())));
    report("window/showDocument", params);
    return CompletableFuture.completedFuture(new ShowDocumentResult(found));
  }

  /** A balloon that is closed without a choice cancels the request. */
  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
    report("window/showMessageRequest", params);
    for (MessageActionItem action : params.getActions()) {
      if (action.getTitle().equals(choice)) return CompletableFuture.completedFuture(new MessageActionItem(choice));
    }
    CompletableFuture<MessageActionItem> closed = new CompletableFuture<>();
    closed.cancel(true);
    return closed;
  }

  /** Each section is looked up in the server's settings; null where it is not among them. */
  @Override
  public CompletableFuture<List<Object>> configuration(ConfigurationParams params) {
    report("workspace/configuration", params);
    List<Object> found = new ArrayList<>();
    for (ConfigurationItem item : params.getItems()) found.add(settings.get(item.getSection()));
    return CompletableFuture.completedFuture(found);
  }

  @Override
  public CompletableFuture<List<WorkspaceFolder>> workspaceFolders() {
    report("workspace/workspaceFolders", null);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> refreshInlayHints() {
    return done("workspace/inlayHint/refresh", null);
  }

  @Override
  public CompletableFuture<Void> refreshCodeLenses() {
    return done("workspace/codeLens/refresh", null);
  }

  @Override
  public CompletableFuture<Void> registerCapability(RegistrationParams params) {
    return done("client/registerCapability", params);
  }

  @Override
  public CompletableFuture<Void> unregisterCapability(UnregistrationParams params) {
    return done("client/unregisterCapability", params);
  }

  @Override
  public CompletableFuture<Void> createProgress(WorkDoneProgressCreateParams params) {
    return done("window/workDoneProgress/create", params);
  }

  @Override
  public void notifyProgress(ProgressParams params) {
    report("$/progress", params);
  }

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams params) {
    report("textDocument/publishDiagnostics", params);
  }

  @Override
  public void showMessage(MessageParams params) {
    report("window/showMessage", params);
  }

  @Override
  public void logMessage(MessageParams params) {
    report("window/logMessage", params);
  }

  @Override
  public void telemetryEvent(Object event) {
    report("telemetry/event", event);
  }
}
