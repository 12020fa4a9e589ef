// Reads class files and prints what they say about their methods as JSON lines: names, flags, lines, parameter names, calls.

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Usage: java ClassFileTruth.java INPUT..., where INPUT is a folder of class files, a jar or JAVA_HOME=MODULE. Needs JDK 24 or newer. */
public final class ClassFileTruth {
  public static void main(String[] inputs) throws IOException {
    PrintStream raw = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
    try (BufferedWriter out = new BufferedWriter(new OutputStreamWriter(raw, StandardCharsets.UTF_8), 1 << 16)) {
      for (String input : inputs) {
        int equals = input.indexOf('=');
        if (input.endsWith(".jar")) {
          try (FileSystem jar = FileSystems.newFileSystem(Path.of(input))) {
            printAll(jar.getPath("/"), out);
          }
        } else if (equals < 0) {
          printAll(Path.of(input), out);
        } else {
          Map<String, String> home = Map.of("java.home", input.substring(0, equals));
          try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), home)) {
            printAll(image.getPath("/modules/" + input.substring(equals + 1)), out);
          }
        }
      }
    }
  }

  private static void printAll(Path root, BufferedWriter out) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files = walk.filter(path -> path.toString().endsWith(".class")).sorted().toList();
    }
    for (Path file : files) {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      if (model.isModuleInfo()) continue;
      out.write(classLine(model));
      out.write('\n');
    }
  }

  private static String classLine(ClassModel model) {
    String name = model.thisClass().asInternalName();
    Json json = new Json();
    json.open('{').key("class").text(name.replace('/', '.'));
    json.key("flags").number(model.flags().flagsMask());
    json.key("source").text(model.findAttribute(Attributes.sourceFile()).map(a -> a.sourceFile().stringValue()).orElse(""));
    json.key("super").text(model.superclass().map(s -> s.asInternalName()).orElse("").replace('/', '.'));
    json.key("nesting").text(nesting(model, name));
    json.key("record").number(model.findAttribute(Attributes.record()).isPresent() ? 1 : 0);
    json.key("methods").open('[');
    for (MethodModel method : model.methods()) methodObject(json, method);
    return json.close(']').close('}').toString();
  }

  /** `top`, `member`, `local` or `anonymous`. */
  private static String nesting(ClassModel model, String name) {
    var attribute = model.findAttribute(Attributes.innerClasses());
    if (attribute.isEmpty()) return "top";
    for (InnerClassInfo info : attribute.get().classes()) {
      if (!info.innerClass().asInternalName().equals(name)) continue;
      if (info.innerName().isEmpty()) return "anonymous";
      return info.outerClass().isEmpty() ? "local" : "member";
    }
    return "top";
  }

  private static void methodObject(Json json, MethodModel method) {
    json.open('{').key("name").text(method.methodName().stringValue());
    json.key("descriptor").text(method.methodType().stringValue());
    json.key("flags").number(method.flags().flagsMask());
    json.key("signature").text(method.findAttribute(Attributes.signature()).map(a -> a.signature().stringValue()).orElse(""));
    method.code().ifPresent(code -> codeKeys(json, method, code));
    json.close('}');
  }

  private static void codeKeys(Json json, MethodModel method, CodeModel code) {
    Set<Integer> lines = new TreeSet<>();
    Set<String> calls = new LinkedHashSet<>();
    Set<String> lambdas = new LinkedHashSet<>();
    int line = 0;
    String lastCall = "";
    String lastField = "";
    boolean writes = false;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> lines.add(line = number.line());
        case InvokeInstruction call -> {
          String callee = call.owner().asInternalName().replace('/', '.') + " " + call.name().stringValue();
          calls.add(line + " " + callee);
          lastCall = callee + " " + call.type().stringValue();
        }
        case FieldInstruction field -> {
          lastField = field.owner().asInternalName().replace('/', '.') + " " + field.name().stringValue();
          writes |= field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
        }
        case InvokeDynamicInstruction call -> dynamicCall(line, call, calls, lambdas);
        default -> { }
      }
    }
    json.key("lines").open('[');
    for (int each : lines) json.number(each);
    json.close(']').key("parameters").strings(parameterNames(method, code));
    // The target of a bridge or an accessor: a method, or a field. One that writes a field may call the method that makes the new value.
    boolean isField = writes || lastCall.isEmpty();
    if ((method.flags().flagsMask() & ClassFile.ACC_SYNTHETIC) != 0) json.key("forwards").text(isField ? lastField : lastCall);
    json.key("calls").strings(calls).key("lambdas").strings(lambdas);
  }

  /** Lambda factories count as `lambdas` (line, owner and name of the body, in code order), others as calls without an owner. */
  private static void dynamicCall(int line, InvokeDynamicInstruction call, Set<String> calls, Set<String> lambdas) {
    if (call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory")) {
      for (ConstantDesc argument : call.bootstrapArgs()) {
        if (!(argument instanceof DirectMethodHandleDesc handle)) continue;
        String owner = handle.owner().descriptorString();
        lambdas.add(line + " " + owner.substring(1, Math.max(1, owner.length() - 1)).replace('/', '.') + " " + handle.methodName());
        return;
      }
    }
    calls.add(line + " - " + call.name().stringValue());
  }

  /** Names of the parameters, the receiver left out; `?` where the class file does not tell. */
  private static List<String> parameterNames(MethodModel method, CodeModel code) {
    List<String> names = new ArrayList<>();
    int slot = (method.flags().flagsMask() & ClassFile.ACC_STATIC) != 0 ? 0 : 1;
    MethodTypeDesc type = method.methodTypeSymbol();
    for (int i = 0; i < type.parameterCount(); i++) {
      String name = "?";
      for (CodeElement element : code) {
        if (element instanceof LocalVariable variable && variable.slot() == slot && variable.typeSymbol().equals(type.parameterType(i))) {
          name = variable.name().stringValue();
          break;
        }
      }
      names.add(name);
      String descriptor = type.parameterType(i).descriptorString();
      slot += descriptor.equals("J") || descriptor.equals("D") ? 2 : 1;
    }
    return names;
  }

  /** Writes JSON without spaces; commas are put where needed. */
  private static final class Json {
    private final StringBuilder text = new StringBuilder(1024);

    Json open(char bracket) {
      separate();
      text.append(bracket);
      return this;
    }

    Json close(char bracket) {
      text.append(bracket);
      return this;
    }

    Json key(String name) {
      text(name);
      text.append(':');
      return this;
    }

    Json number(int value) {
      separate();
      text.append(value);
      return this;
    }

    Json strings(Iterable<String> values) {
      open('[');
      for (String value : values) text(value);
      return close(']');
    }

    Json text(String value) {
      separate();
      text.append('"');
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '"' || c == '\\') text.append('\\').append(c);
        else if (c < 0x20 || Character.isSurrogate(c)) text.append(String.format("\\u%04x", (int) c));
        else text.append(c);
      }
      text.append('"');
      return this;
    }

    @Override
    public String toString() {
      return text.toString();
    }

    private void separate() {
      if (text.isEmpty()) return;
      char last = text.charAt(text.length() - 1);
      if (last != '[' && last != '{' && last != ':') text.append(',');
    }
  }
}
