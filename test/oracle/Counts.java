// Counts, one sample after the other, what each declaration of a source root took, called and was called by.
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Sums over the samples of a selection; each sample counts once in each sum. */
final class Counts {
    /** Callees of one line that a reader takes for one call. */
    record Group(SourcePlaces.Place caller, int line, String kind, String name) {
    }

    /** One method behind a call: its class, and its key. */
    record Target(Group group, String type, String key) {
    }

    record Line(SourcePlaces.Place owner, int line) {
    }

    /** Something seen around a declaration: the key of a caller or callee, or a kind of threads. */
    record Beside(SourcePlaces.Place place, String key) {
    }

    private static final Map<Path, SourcePlaces> SOURCES = new HashMap<>();

    final Selection selection;
    final SourcePlaces sources;
    /** {@code Class.name(descriptor)} of the runtime methods of each declaration. */
    final Map<SourcePlaces.Place, List<String>> tied;
    private final Map<String, List<SourcePlaces.Place>> placesOfMethod = new HashMap<>();

    /** Samples with the declaration's own code; of blocks those on their lines. */
    final Map<SourcePlaces.Place, Amount> totals = new HashMap<>();
    final Map<SourcePlaces.Place, Amount> selves = new HashMap<>();
    /** Samples with any of the runtime methods. */
    final Map<SourcePlaces.Place, Amount> wholes = new HashMap<>();
    final Map<Group, Amount> calls = new HashMap<>();
    /** Each callee of a group alone. */
    final Map<Target, Amount> targets = new HashMap<>();
    /** Samples in which the owner was itself running on the line. */
    final Map<Line, Amount> lines = new HashMap<>();
    final Map<Beside, Amount> callers = new HashMap<>();
    final Map<Beside, Amount> callees = new HashMap<>();
    final Map<Beside, Amount> threads = new HashMap<>();
    /** By key of a runtime method, whether it has a source or not. */
    final Map<String, Amount> methods = new HashMap<>();

    Counts(Options options, String prefix) throws IOException {
        selection = new Selection(options.all(prefix + "recording"), options);
        Path root = options.path(prefix + "sources");
        if (!SOURCES.containsKey(root)) {
            SOURCES.put(root, new SourcePlaces(root));
        }
        sources = SOURCES.get(root);
        tied = new ClassFiles(options.path(prefix + "classes")).tie(sources);
        tied.forEach((place, keys) -> keys.forEach(key -> placesOfMethod.computeIfAbsent(key, unused -> new ArrayList<>()).add(place)));
        selection.samples.forEach(this::count);
    }

    /** Adds one sample to everything that is on its stack, once each. */
    private void count(Selection.Seen seen) {
        Amount one = Amount.of(seen.sample());
        List<FoldedStacks.Frame> stack = seen.stack();
        Set<SourcePlaces.Place> own = new HashSet<>();
        Set<SourcePlaces.Place> ran = new HashSet<>();
        Set<String> keys = new HashSet<>();
        Set<Group> called = new HashSet<>();
        Set<Target> reached = new HashSet<>();
        Set<Line> at = new HashSet<>();
        Set<Beside> above = new HashSet<>();
        Set<Beside> below = new HashSet<>();
        for (int i = seen.from(); i < stack.size(); i++) {
            FoldedStacks.Frame frame = stack.get(i);
            FoldedStacks.Frame caller = i > 0 ? stack.get(i - 1) : null;
            FoldedStacks.Frame callee = i + 1 < stack.size() ? stack.get(i + 1) : null;
            keys.add(frame.key());
            own.addAll(owners(frame));
            for (SourcePlaces.Place place : placesOfMethod.getOrDefault(frame.key(), List.of())) {
                ran.add(place);
                if (caller != null) {
                    above.add(new Beside(place, caller.key()));
                }
                if (callee != null) {
                    below.add(new Beside(place, callee.key()));
                }
            }
            SourcePlaces.Place owner = innermost(frame);
            if (owner != null && frame.line() > 0) {
                Line line = new Line(owner, frame.line());
                if (callee == null) {
                    at.add(line);
                } else {
                    Group group = group(line, callee);
                    called.add(group);
                    reached.add(new Target(group, callee.type(), callee.key()));
                }
            }
        }
        add(own, totals, one);
        add(ran, wholes, one);
        add(keys, methods, one);
        add(called, calls, one);
        add(reached, targets, one);
        add(at, lines, one);
        add(above, callers, one);
        add(below, callees, one);
        FoldedStacks.ThreadName thread = seen.sample().thread();
        ran.forEach(place -> threads.merge(new Beside(place, thread.toString()), one, Amount::plus));
        if (!stack.isEmpty()) {
            add(Set.copyOf(owners(stack.get(stack.size() - 1))), selves, one);
        }
    }

    private static <K> void add(Set<K> keys, Map<K, Amount> sums, Amount one) {
        keys.forEach(key -> sums.merge(key, one, Amount::plus));
    }

    /** Classes of the methods behind a call. */
    Set<String> typesOf(Group group) {
        return targets.keySet().stream().filter(target -> target.group.equals(group)).map(Target::type).collect(Collectors.toSet());
    }

    private static Group group(Line line, FoldedStacks.Frame callee) {
        if (callee.name().startsWith("lambda$")) {
            return new Group(line.owner, line.line, "lambda", "");
        }
        if (callee.name().equals("<init>") || callee.name().equals("<clinit>")) {
            return new Group(line.owner, line.line, "class", callee.type());
        }
        return new Group(line.owner, line.line, "method", callee.name());
    }

    /** The declarations whose time a frame counts for: its method, and the block or field whose line it is on. */
    private List<SourcePlaces.Place> owners(FoldedStacks.Frame frame) {
        return placesOfMethod.getOrDefault(frame.key(), List.of()).stream()
                .filter(place -> !isInitializer(place) || place.first() <= frame.line() && frame.line() <= place.last())
                .toList();
    }

    /** The declaration whose code the frame's line is: a block or field before the constructor that runs it. */
    private SourcePlaces.Place innermost(FoldedStacks.Frame frame) {
        List<SourcePlaces.Place> owners = owners(frame);
        Predicate<SourcePlaces.Place> initializer = Counts::isInitializer;
        return owners.stream().filter(initializer).findFirst()
                .or(() -> owners.stream().filter(initializer.negate()).findFirst())
                .orElse(null);
    }

    static boolean isInitializer(SourcePlaces.Place place) {
        return place.kind() == SourcePlaces.Kind.BLOCK || place.kind() == SourcePlaces.Kind.FIELD;
    }

    /** Amounts of the methods and threads beside a declaration, heaviest first. */
    List<Amount> beside(Map<Beside, Amount> sums, SourcePlaces.Place place) {
        return sums.entrySet().stream()
                .filter(entry -> entry.getKey().place.equals(place))
                .map(Map.Entry::getValue)
                .sorted((one, other) -> Long.compare(other.weight(), one.weight()))
                .toList();
    }
}
