// Prints what javac itself sees in Java files: declarations, lambdas, calls and (with --names) the binary names of types.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/**
 * Arguments: [--names] [--release options of javac …] -- files. Lines on standard output, fields parted by tabs:
 * `F path`, `D kind name start end`, `C kind name arguments line`, `N binaryName start`. With --names the files are
 * attributed, which needs all that they refer to.
 */
public class JavacOutline {
  public static void main(String[] args) throws Exception {
    boolean names = args.length > 0 && args[0].equals("--names");
    List<String> options = new ArrayList<>(), files = new ArrayList<>();
    List<String> into = options;
    for (String arg : Arrays.asList(args).subList(names ? 1 : 0, args.length)) {
      if (arg.equals("--")) into = files;
      else if (into == files && arg.startsWith("@")) files.addAll(Files.readAllLines(Path.of(arg.substring(1))));
      else into.add(arg);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20), false, "UTF-8");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> { }, options, null, manager.getJavaFileObjectsFromStrings(files));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    if (names) task.analyze();
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    for (CompilationUnitTree unit : units) {
      out.println("F\t" + unit.getSourceFile().getName());
      new Printer(unit, positions, out, names).scan(unit, null);
    }
    out.flush();
  }

  static final class Printer extends TreeScanner<Void, Void> {
    final CompilationUnitTree unit;
    final SourcePositions positions;
    final PrintStream out;
    final boolean names;
    final Deque<String> types = new ArrayDeque<>();

    Printer(CompilationUnitTree unit, SourcePositions positions, PrintStream out, boolean names) {
      this.unit = unit;
      this.positions = positions;
      this.out = out;
      this.names = names;
    }

    void declaration(String kind, CharSequence name, Tree tree) {
      out.println("D\t" + kind + "\t" + name + "\t" + positions.getStartPosition(unit, tree) + "\t" + positions.getEndPosition(unit, tree));
    }

    void call(String kind, CharSequence name, int arguments, int position) {
      out.println("C\t" + kind + "\t" + name + "\t" + arguments + "\t" + unit.getLineMap().getLineNumber(position));
    }

    @Override public Void visitClass(ClassTree tree, Void p) {
      String kind = switch (tree.getKind()) {
        case INTERFACE -> "interface";
        case ENUM -> "enum";
        case ANNOTATION_TYPE -> "annotation";
        default -> tree.getKind().name().equals("RECORD") ? "record" : "class";
      };
      boolean anonymous = tree.getSimpleName().length() == 0;
      if (names) {
        var symbol = ((JCTree.JCClassDecl) tree).sym;
        if (symbol != null) out.println("N\t" + symbol.flatname + "\t" + bodyStart(tree));
      }
      if (!anonymous) declaration(kind, tree.getSimpleName(), tree);
      types.push(tree.getSimpleName().toString());
      super.visitClass(tree, p);
      types.pop();
      return null;
    }

    /** End of the class, which tells it from others that begin at the same place. */
    long bodyStart(ClassTree tree) {
      return positions.getEndPosition(unit, tree);
    }

    @Override public Void visitMethod(MethodTree tree, Void p) {
      if (positions.getEndPosition(unit, tree) < 0) return null;
      boolean isConstructor = tree.getName().contentEquals("<init>");
      if (isConstructor && (((JCTree.JCMethodDecl) tree).mods.flags & (1L << 36)) != 0) return null;
      declaration(isConstructor ? "constructor" : "method", isConstructor ? types.peek() : tree.getName(), tree);
      return super.visitMethod(tree, p);
    }

    @Override public Void visitVariable(VariableTree tree, Void p) {
      long flags = ((JCTree.JCVariableDecl) tree).mods.flags;
      if ((flags & (1L << 14)) != 0) out.println("D\tenumConstant\t" + tree.getName() + "\t0\t0");
      return super.visitVariable(tree, p);
    }

    @Override public Void visitBlock(BlockTree tree, Void p) {
      return super.visitBlock(tree, p);
    }

    @Override public Void visitLambdaExpression(LambdaExpressionTree tree, Void p) {
      declaration("lambda", "", tree);
      return super.visitLambdaExpression(tree, p);
    }

    @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void p) {
      ExpressionTree select = tree.getMethodSelect();
      CharSequence name = select instanceof MemberSelectTree m ? m.getIdentifier() : ((IdentifierTree) select).getName();
      String kind = name.toString().equals("super") ? "super" : name.toString().equals("this") ? "this" : "call";
      if (positions.getEndPosition(unit, tree) >= 0) call(kind, name, tree.getArguments().size(), ((JCTree) tree).pos);
      return super.visitMethodInvocation(tree, p);
    }

    @Override public Void visitNewClass(NewClassTree tree, Void p) {
      Tree type = tree.getIdentifier();
      while (!(type instanceof IdentifierTree) && !(type instanceof MemberSelectTree)) {
        if (type instanceof ParameterizedTypeTree t) type = t.getType();
        else if (type instanceof AnnotatedTypeTree t) type = t.getUnderlyingType();
        else break;
      }
      CharSequence name = type instanceof MemberSelectTree m ? m.getIdentifier() : type.toString();
      boolean isConstant = positions.getStartPosition(unit, tree.getIdentifier()) < 0 || ((JCTree) tree).pos >= positions.getStartPosition(unit, tree.getIdentifier());
      if (!isConstant) call("new", name, tree.getArguments().size(), ((JCTree) tree).pos);
      return super.visitNewClass(tree, p);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void p) {
      String name = tree.getName().contentEquals("<init>") ? "new" : tree.getName().toString();
      call("methodReference", name, -1, ((JCTree) tree).pos);
      return super.visitMemberReference(tree, p);
    }

    @Override public Void visitAnnotation(AnnotationTree tree, Void p) {
      return null;
    }
  }
}
