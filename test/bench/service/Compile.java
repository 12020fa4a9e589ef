// Compiles versions of one class, each into a folder of its own, in one run of the compiler's program.
package shop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

public final class Compile {
  /** Folder with a folder for each version, in which Desk.java stands. */
  public static void main(String[] args) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var folders = Files.list(Path.of(args[0]))) {
      for (Path folder : folders.sorted().toList()) {
        String source = folder.resolve("Desk.java").toString();
        List<String> options = List.of("-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source);
        if (compiler.run(null, null, null, options.toArray(String[]::new)) != 0) throw new IllegalStateException(source);
      }
    }
  }
}
