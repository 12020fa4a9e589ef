// Ties the declarations of a source root to the methods of its class files, by descriptors, names and line tables.
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Class-file methods of one program. */
final class ClassFiles {
    private static final int SYNTHETIC = 0x1000;
    /** Class files of JDK 23 and later number lambdas where they begin, older ones where they end. */
    private static final int NUMBERED_AT_START = 67;

    private record Method(String name, String descriptor, boolean synthetic, Set<Integer> lines) {
    }

    private final Map<String, List<Method>> methods = new HashMap<>();
    private int majorVersion;

    ClassFiles(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.filter(path -> path.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            ClassModel model = ClassFile.of().parse(file);
            majorVersion = model.majorVersion();
            List<Method> list = new ArrayList<>();
            for (MethodModel method : model.methods()) {
                list.add(new Method(method.methodName().stringValue(), method.methodType().stringValue(),
                        (method.flags().flagsMask() & SYNTHETIC) != 0, lines(method)));
            }
            methods.put(model.thisClass().asInternalName().replace('/', '.'), list);
        }
    }

    private static Set<Integer> lines(MethodModel method) {
        Set<Integer> lines = new TreeSet<>();
        method.code().ifPresent(code -> {
            for (CodeElement element : code) {
                if (element instanceof LineNumber number) {
                    lines.add(number.line());
                }
            }
        });
        return lines;
    }

    /** {@code Class.name(descriptor)} of the class-file methods behind each place; fails when a place has none or several fit. */
    Map<SourcePlaces.Place, List<String>> tie(SourcePlaces sources) {
        for (String type : sources.types) {
            if (!methods.containsKey(type)) {
                throw new IllegalStateException("no class file for " + type);
            }
        }
        Map<SourcePlaces.Place, List<String>> tied = new HashMap<>();
        for (SourcePlaces.Place place : sources.places) {
            switch (place.kind()) {
                case METHOD, CONSTRUCTOR -> tied.put(place, List.of(place.type() + "." + place.name() + descriptorOf(place)));
                case BLOCK, FIELD -> tied.put(place, methods.get(place.type()).stream()
                        .filter(method -> method.name.equals(place.name()))
                        .map(method -> place.type() + "." + method.name + method.descriptor)
                        .toList());
                case LAMBDA -> { }
            }
        }
        tieLambdas(sources, tied);
        return tied;
    }

    private String descriptorOf(SourcePlaces.Place place) {
        List<String> candidates = methods.get(place.type()).stream()
                .filter(method -> !method.synthetic && method.name.equals(place.name()))
                .filter(method -> method.lines.stream().anyMatch(line -> place.first() <= line && line <= place.last()))
                .map(Method::descriptor)
                .toList();
        if (candidates.contains(place.descriptor())) {
            return place.descriptor();
        }
        // The compiler adds parameters to constructors: the outer instance, an enum's name and number, captured variables.
        String parameters = place.descriptor().substring(1, place.descriptor().indexOf(')'));
        List<String> longer = candidates.stream().filter(descriptor -> descriptor.contains(parameters)).toList();
        if (longer.size() != 1) {
            throw new IllegalStateException(place + " fits " + longer + " of " + candidates);
        }
        return longer.get(0);
    }

    /** Lambdas of one class and method in the compiler's order of numbers; every line must lie in the lambda that it is given to. */
    private void tieLambdas(SourcePlaces sources, Map<SourcePlaces.Place, List<String>> tied) {
        Map<String, List<SourcePlaces.Place>> groups = new HashMap<>();
        for (SourcePlaces.Place place : sources.places) {
            if (place.kind() == SourcePlaces.Kind.LAMBDA) {
                groups.computeIfAbsent(place.type() + " " + place.name(), unused -> new ArrayList<>()).add(place);
            }
        }
        groups.forEach((key, places) -> {
            String type = key.substring(0, key.indexOf(' '));
            String prefix = key.substring(key.indexOf(' ') + 1);
            places.sort(Comparator.comparingInt(majorVersion >= NUMBERED_AT_START
                    ? SourcePlaces.Place::order : SourcePlaces.Place::orderAfter));
            List<Method> compiled = methods.get(type).stream()
                    .filter(method -> method.name.matches(Pattern.quote(prefix) + "\\d+"))
                    .sorted(Comparator.comparingInt(method -> Integer.parseInt(method.name.substring(prefix.length()))))
                    .toList();
            if (compiled.size() != places.size()) {
                throw new IllegalStateException(key + ": " + places.size() + " written, " + compiled.size() + " compiled");
            }
            for (int i = 0; i < places.size(); i++) {
                SourcePlaces.Place place = places.get(i);
                Method method = compiled.get(i);
                if (!method.lines.stream().allMatch(line -> place.first() <= line && line <= place.last())) {
                    throw new IllegalStateException(place + " is not " + method);
                }
                tied.put(place, List.of(type + "." + method.name + method.descriptor));
            }
        });
    }
}
