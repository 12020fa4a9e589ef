// Prints what javac itself sees in Java files: declarations, lambdas, calls and (with --names) the binary names of types.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/**
 * Arguments: [--names | --statements] [--release options of javac …] -- files. Lines on standard output, fields parted by tabs:
 * `F path`, `D kind name start end`, `C kind name arguments line`, `N binaryName start`. With --names the files are
 * attributed, which needs all that they refer to. With --statements there are instead `S form start end`, followed by
 * `role start end` of each part.
 */
public class JavacOutline {
  public static void main(String[] args) throws Exception {
    boolean names = args.length > 0 && args[0].equals("--names");
    boolean statements = args.length > 0 && args[0].equals("--statements");
    List<String> options = new ArrayList<>(), files = new ArrayList<>();
    List<String> into = options;
    for (String arg : Arrays.asList(args).subList(names || statements ? 1 : 0, args.length)) {
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
      (statements ? new Statements(unit, positions, out) : new Printer(unit, positions, out, names)).scan(unit, null);
    }
    out.flush();
  }

  /** Prints loops, branches, calls and lambdas with their parts. */
  static final class Statements extends TreeScanner<Void, Void> {
    final CompilationUnitTree unit;
    final SourcePositions positions;
    final PrintStream out;

    Statements(CompilationUnitTree unit, SourcePositions positions, PrintStream out) {
      this.unit = unit;
      this.positions = positions;
      this.out = out;
    }

    void statement(String form, Tree tree, Object... parts) {
      statement(form, positions.getStartPosition(unit, tree), positions.getEndPosition(unit, tree), parts);
    }

    /** Roles and trees (or lists of trees, as one part) in turn. */
    void statement(String form, long start, long end, Object... parts) {
      if (end < 0) return;
      StringBuilder line = new StringBuilder("S\t" + form + "\t" + start + "\t" + end);
      for (int i = 0; i < parts.length; i += 2) {
        List<?> trees = parts[i + 1] instanceof List<?> list ? list : parts[i + 1] == null ? List.of() : List.of(parts[i + 1]);
        if (trees.isEmpty()) continue;
        Tree first = (Tree) trees.get(0), last = (Tree) trees.get(trees.size() - 1);
        if (first instanceof ParenthesizedTree p && !parts[i].equals("argument") && !parts[i].equals("receiver") && isHeader(form)) first = last = p.getExpression();
        line.append("\t" + parts[i] + "\t" + positions.getStartPosition(unit, first) + "\t" + positions.getEndPosition(unit, last));
      }
      out.println(line);
    }

    static boolean isHeader(String form) {
      return form.equals("if") || form.equals("while") || form.equals("do") || form.equals("switch");
    }

    @Override public Void visitForLoop(ForLoopTree tree, Void p) {
      // Ends of initialisers and updates hold the semicolon or not, by what they are: their starts tell enough.
      statement("for", tree, "condition", tree.getCondition(), "body", tree.getStatement());
      return super.visitForLoop(tree, p);
    }

    @Override public Void visitEnhancedForLoop(EnhancedForLoopTree tree, Void p) {
      statement("forEach", tree, "iterable", tree.getExpression(), "body", tree.getStatement());
      return super.visitEnhancedForLoop(tree, p);
    }

    @Override public Void visitWhileLoop(WhileLoopTree tree, Void p) {
      statement("while", tree, "condition", tree.getCondition(), "body", tree.getStatement());
      return super.visitWhileLoop(tree, p);
    }

    @Override public Void visitDoWhileLoop(DoWhileLoopTree tree, Void p) {
      statement("do", tree, "body", tree.getStatement(), "condition", tree.getCondition());
      return super.visitDoWhileLoop(tree, p);
    }

    @Override public Void visitIf(IfTree tree, Void p) {
      statement("if", tree, "condition", tree.getCondition(), "then", tree.getThenStatement(), "else", tree.getElseStatement());
      return super.visitIf(tree, p);
    }

    @Override public Void visitConditionalExpression(ConditionalExpressionTree tree, Void p) {
      statement("conditional", tree, "condition", tree.getCondition(), "then", tree.getTrueExpression(), "else", tree.getFalseExpression());
      return super.visitConditionalExpression(tree, p);
    }

    /** A case ends where the next begins: their starts tell enough. */
    void cases(List<? extends CaseTree> cases) {
      for (CaseTree each : cases) out.println("S\tcase\t" + positions.getStartPosition(unit, each));
    }

    @Override public Void visitSwitch(SwitchTree tree, Void p) {
      statement("switch", tree, "selector", tree.getExpression());
      cases(tree.getCases());
      return super.visitSwitch(tree, p);
    }

    @Override public Void visitSwitchExpression(SwitchExpressionTree tree, Void p) {
      statement("switch", tree, "selector", tree.getExpression());
      cases(tree.getCases());
      return super.visitSwitchExpression(tree, p);
    }

    @Override public Void visitTry(TryTree tree, Void p) {
      List<Object> parts = new ArrayList<>(List.of("body", tree.getBlock()));
      for (CatchTree each : tree.getCatches()) parts.addAll(List.of("catch", each));
      if (tree.getFinallyBlock() != null) parts.addAll(List.of("finally", tree.getFinallyBlock()));
      statement("try", tree, parts.toArray());
      return super.visitTry(tree, p);
    }

    @Override public Void visitLambdaExpression(LambdaExpressionTree tree, Void p) {
      statement("lambda", tree, "body", tree.getBody());
      return super.visitLambdaExpression(tree, p);
    }

    void call(String form, Tree tree, long end, Tree receiver, List<? extends ExpressionTree> arguments) {
      List<Object> parts = new ArrayList<>();
      if (receiver != null) parts.addAll(List.of("receiver", receiver));
      for (ExpressionTree each : arguments) parts.addAll(List.of("argument", each));
      statement(form, positions.getStartPosition(unit, tree), end, parts.toArray());
    }

    @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void p) {
      ExpressionTree select = tree.getMethodSelect();
      CharSequence name = select instanceof MemberSelectTree m ? m.getIdentifier() : ((IdentifierTree) select).getName();
      String form = name.toString().equals("super") ? "super" : name.toString().equals("this") ? "this" : "call";
      Tree receiver = select instanceof MemberSelectTree m ? m.getExpression() : null;
      call(form, tree, positions.getEndPosition(unit, tree), receiver, tree.getArguments());
      return super.visitMethodInvocation(tree, p);
    }

    @Override public Void visitNewClass(NewClassTree tree, Void p) {
      boolean isConstant = positions.getStartPosition(unit, tree.getIdentifier()) < 0 || ((JCTree) tree).pos >= positions.getStartPosition(unit, tree.getIdentifier());
      // A class body ends the tree, behind the call.
      if (!isConstant) call("new", tree, 0, tree.getEnclosingExpression(), tree.getArguments());
      return super.visitNewClass(tree, p);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void p) {
      call("methodReference", tree, positions.getEndPosition(unit, tree), tree.getQualifierExpression(), List.of());
      return super.visitMemberReference(tree, p);
    }

    @Override public Void visitAnnotation(AnnotationTree tree, Void p) {
      return null;
    }
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
