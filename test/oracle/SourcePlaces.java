// Finds where methods, lambdas and initialisers stand in Java sources with the compiler's own tree, and which class-file method each is.
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Everything in a source root that owns code. */
final class SourcePlaces {
    enum Kind { METHOD, CONSTRUCTOR, LAMBDA, BLOCK, FIELD }

    /**
     * One declaration. {@code name} and {@code descriptor} are those of the class file as far as the source tells: a constructor's
     * descriptor lacks what the compiler adds, a lambda's name its number. {@code first} and {@code last} are the lines it covers.
     */
    record Place(Kind kind, String file, int line, String type, String name, String descriptor, int first, int last,
            int order, int orderAfter) {
    }

    final List<Place> places = new ArrayList<>();
    /** Number of lines of each file, by its path from the source root. */
    final Map<String, Integer> lineCounts = new TreeMap<>();
    final Map<String, List<String>> lines = new TreeMap<>();
    final List<String> types = new ArrayList<>();

    /** {@code file:line name} of all calls that the sources write, constructors by their class. */
    final Set<String> writtenCalls = new HashSet<>();

    private final Path root;
    private Trees trees;
    private Elements elements;
    private Types typeTool;

    SourcePlaces(Path root) throws IOException {
        this.root = root;
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(path -> path.toString().endsWith(".java")).sorted().toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none", "--release", "17"), null,
                    manager.getJavaFileObjectsFromPaths(files));
            trees = Trees.instance(task);
            elements = task.getElements();
            typeTool = task.getTypes();
            Iterable<? extends CompilationUnitTree> units = task.parse();
            task.analyze();
            for (CompilationUnitTree unit : units) {
                Path file = Path.of(unit.getSourceFile().toUri());
                String text = Files.readString(file);
                String name = root.toAbsolutePath().relativize(file).toString().replace('\\', '/');
                lineCounts.put(name, (int) text.lines().count());
                lines.put(name, text.lines().toList());
                new Scanner(unit, name, text).scan(new TreePath(unit), null);
            }
        }
    }

    /** The descriptor after erasure, with binary class names. */
    private String descriptor(ExecutableElement method) {
        StringBuilder text = new StringBuilder("(");
        for (VariableElement parameter : method.getParameters()) {
            text.append(descriptor(parameter.asType()));
        }
        return text.append(')').append(descriptor(method.getReturnType())).toString();
    }

    private String descriptor(TypeMirror type) {
        TypeMirror erased = typeTool.erasure(type);
        return switch (erased.getKind()) {
            case BOOLEAN -> "Z";
            case BYTE -> "B";
            case SHORT -> "S";
            case CHAR -> "C";
            case INT -> "I";
            case LONG -> "J";
            case FLOAT -> "F";
            case DOUBLE -> "D";
            case VOID -> "V";
            case ARRAY -> "[" + descriptor(((ArrayType) erased).getComponentType());
            default -> "L" + elements.getBinaryName((TypeElement) ((DeclaredType) erased).asElement()).toString().replace('.', '/') + ";";
        };
    }

    /** Walks one file. */
    private final class Scanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final String file;
        private final String text;
        private final SourcePositions positions = trees.getSourcePositions();
        private final Deque<String> typeNames = new ArrayDeque<>();
        /** For each open type: the name that lambdas written here get between their dollar signs. */
        private final Deque<String> lambdaOwners = new ArrayDeque<>();
        private int clock;

        Scanner(CompilationUnitTree unit, String file, String text) {
            this.unit = unit;
            this.file = file;
            this.text = text;
        }

        @Override
        public Void visitClass(ClassTree tree, Void none) {
            String name = elements.getBinaryName((TypeElement) trees.getElement(getCurrentPath())).toString();
            types.add(name);
            typeNames.push(name);
            scan(tree.getModifiers(), null);
            for (Tree member : tree.getMembers()) {
                if (positions.getEndPosition(unit, member) < 0) {
                    continue;
                }
                TreePath path = new TreePath(getCurrentPath(), member);
                if (member instanceof BlockTree block) {
                    String owner = block.isStatic() ? "static" : "new";
                    place(Kind.BLOCK, lineOf(start(member)), block.isStatic() ? "<clinit>" : "<init>", "", member, clock++, 0);
                    within(owner, member);
                } else if (member instanceof VariableTree) {
                    boolean isStatic = trees.getElement(path).getModifiers().contains(Modifier.STATIC);
                    place(Kind.FIELD, lineOf(start(member)), isStatic ? "<clinit>" : "<init>", "", member, clock++, 0);
                    within(isStatic ? "static" : "new", member);
                } else {
                    scan(member, null);
                }
            }
            typeNames.pop();
            return null;
        }

        @Override
        public Void visitMethod(MethodTree tree, Void none) {
            ExecutableElement method = (ExecutableElement) trees.getElement(getCurrentPath());
            boolean isConstructor = method.getKind() == ElementKind.CONSTRUCTOR;
            if (elements.getOrigin(method) != Elements.Origin.EXPLICIT && !isWritten(tree)) {
                return null;
            }
            if (tree.getBody() != null) {
                String name = method.getSimpleName().toString();
                place(isConstructor ? Kind.CONSTRUCTOR : Kind.METHOD, lineOf(nameOf(tree, method)), name, descriptor(method), tree, clock++, 0);
            }
            lambdaOwners.push(isConstructor ? "new" : method.getSimpleName().toString());
            scan(tree.getBody(), null);
            lambdaOwners.pop();
            return null;
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree tree, Void none) {
            int order = clock++;
            super.visitLambdaExpression(tree, none);
            place(Kind.LAMBDA, lineOf(start(tree)), "lambda$" + lambdaOwners.peek() + "$", "", tree, order, clock++);
            return null;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void none) {
            Tree select = tree.getMethodSelect();
            String name = select instanceof MemberSelectTree member ? member.getIdentifier().toString() : select.toString();
            writtenCalls.add(file + ":" + lineOf(positions.getEndPosition(unit, select) - 1) + " " + name);
            return super.visitMethodInvocation(tree, none);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void none) {
            String name = tree.getIdentifier().toString().replaceAll("<.*|.*\\.", "");
            writtenCalls.add(file + ":" + lineOf(start(tree)) + " " + name);
            return super.visitNewClass(tree, none);
        }

        private void within(String owner, Tree member) {
            lambdaOwners.push(owner);
            scan(member, null);
            lambdaOwners.pop();
        }

        private void place(Kind kind, int line, String name, String descriptor, Tree tree, int order, int orderAfter) {
            int last = lineOf(positions.getEndPosition(unit, tree) - 1);
            places.add(new Place(kind, file, line, typeNames.peek(), name, descriptor, lineOf(start(tree)), last, order, orderAfter));
        }

        /** Generated constructors and accessors have no text between their ends that names them. */
        private boolean isWritten(MethodTree tree) {
            return tree.getBody() != null && positions.getEndPosition(unit, tree.getBody()) > 0
                    && text.charAt((int) positions.getEndPosition(unit, tree) - 1) == '}';
        }

        /** Offset of the name: the first place behind modifiers and return type where it stands before {@code (} or {@code &#123;}. */
        private long nameOf(MethodTree tree, ExecutableElement method) {
            boolean isConstructor = method.getKind() == ElementKind.CONSTRUCTOR;
            String name = (isConstructor ? method.getEnclosingElement() : method).getSimpleName().toString();
            Tree before = tree.getReturnType() != null ? tree.getReturnType() : tree.getModifiers();
            long from = Math.max(start(tree), positions.getEndPosition(unit, before));
            Matcher matcher = Pattern.compile("\\b" + Pattern.quote(name) + "\\s*[({]").matcher(text);
            if (!matcher.find((int) from)) {
                throw new IllegalStateException(file + ": no name of " + method);
            }
            return matcher.start();
        }

        private long start(Tree tree) {
            return positions.getStartPosition(unit, tree);
        }

        private int lineOf(long offset) {
            return (int) unit.getLineMap().getLineNumber(offset);
        }
    }
}
