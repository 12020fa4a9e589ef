// Works out which hint must stand on which line of a source root, from raw stacks and class files: the truth for the tests of hints.
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * {@code java ExpectedHints.java EVENT_TYPE CLASSES SOURCES RECORDING...} (JDK 25).
 *
 * <p>It follows docs/hints.md by counting raw stacks one by one. JSON lines on standard output: one
 * {@code {"file","line","kind","method","text","count","weight","of"}} for each line that must carry a hint ({@code of} is the weight of what the
 * share is taken of), then one {@code {"file","lines","empty":[[first,last],...]}} for each file with the lines that must carry none,
 * then {@code {"samples","truncated","weight","hints":{kind: number}}}.
 */
public final class ExpectedHints {
    private static final int FEWEST = 10;
    private static final int LONGEST = 24;

    /** Samples that have something in common. */
    private record Amount(long count, long weight) {
        static final Amount NONE = new Amount(0, 0);

        Amount plus(Amount other) {
            return new Amount(count + other.count, weight + other.weight);
        }
    }

    /** Callees of one line that a reader takes for one call. */
    private record Group(SourcePlaces.Place caller, int line, String kind, String name) {
    }

    private record Candidate(String file, int line, String kind, String method, String text, String target, Amount amount, long of,
            int order, String name) {
        int rank() {
            return kind.equals("call") ? 2 : kind.equals("lambda") ? 1 : 0;
        }
    }

    private final FoldedStacks stacks = new FoldedStacks();
    private final SourcePlaces sources;
    private final Map<SourcePlaces.Place, List<String>> tied;
    private final Map<String, List<SourcePlaces.Place>> placesOfMethod = new HashMap<>();
    private final Map<SourcePlaces.Place, Amount> totals = new HashMap<>();
    private final Map<SourcePlaces.Place, Amount> selves = new HashMap<>();
    private final Map<SourcePlaces.Place, Amount> wholes = new HashMap<>();
    private final Map<Group, Amount> calls = new HashMap<>();
    private final Map<Group, Set<String>> targets = new HashMap<>();
    private Amount all = Amount.NONE;
    /** Samples whose stack was cut off and found no place. */
    private final long truncated;

    private ExpectedHints(String eventType, Path classes, Path root, List<String> recordings) throws IOException {
        for (String recording : recordings) {
            stacks.read(Path.of(recording));
        }
        PartialStacks.graft(stacks.complete, stacks.cut);
        truncated = stacks.cut.stream().filter(sample -> sample.event().equals(eventType)).count();
        sources = new SourcePlaces(root);
        tied = new ClassFiles(classes).tie(sources);
        tied.forEach((place, methods) -> methods.forEach(
                method -> placesOfMethod.computeIfAbsent(method, unused -> new ArrayList<>()).add(place)));
        stacks.complete.stream().filter(sample -> sample.event().equals(eventType)).forEach(this::count);
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 4) {
            System.err.println("usage: java ExpectedHints.java EVENT_TYPE CLASSES SOURCES RECORDING...");
            System.exit(2);
        }
        List<String> recordings = List.of(args).subList(3, args.length);
        new ExpectedHints(args[0], Path.of(args[1]), Path.of(args[2]), recordings).print();
    }

    /** Adds one sample to everything that is on its stack, once each. */
    private void count(FoldedStacks.Sample sample) {
        Amount one = new Amount(1, sample.weight());
        all = all.plus(one);
        List<FoldedStacks.Frame> stack = sample.stack();
        Set<SourcePlaces.Place> seen = new HashSet<>();
        Set<SourcePlaces.Place> ran = new HashSet<>();
        Set<Group> called = new HashSet<>();
        for (int i = 0; i < stack.size(); i++) {
            FoldedStacks.Frame frame = stack.get(i);
            ran.addAll(placesOfMethod.getOrDefault(frame.key(), List.of()));
            seen.addAll(owners(frame));
            SourcePlaces.Place at = innermost(frame);
            if (at != null && frame.line() > 0 && i + 1 < stack.size()) {
                Group group = group(at, frame.line(), stack.get(i + 1));
                called.add(group);
                targets.computeIfAbsent(group, unused -> new TreeSet<>()).add(
                        group.kind.equals("lambda") ? stack.get(i + 1).key() : stack.get(i + 1).type());
            }
        }
        ran.forEach(place -> wholes.merge(place, one, Amount::plus));
        seen.forEach(place -> totals.merge(place, one, Amount::plus));
        called.forEach(group -> calls.merge(group, one, Amount::plus));
        if (!stack.isEmpty()) {
            owners(stack.get(stack.size() - 1)).forEach(place -> selves.merge(place, one, Amount::plus));
        }
    }

    /** The declarations whose time a frame counts for: its method, and the block or field whose line it is on. */
    private List<SourcePlaces.Place> owners(FoldedStacks.Frame frame) {
        return placesOfMethod.getOrDefault(frame.key(), List.of()).stream()
                .filter(place -> !isInitializer(place) || covers(place, frame.line()))
                .toList();
    }

    /** The declaration whose code the frame's line is: a block or field before the constructor that runs it. */
    private SourcePlaces.Place innermost(FoldedStacks.Frame frame) {
        List<SourcePlaces.Place> owners = owners(frame);
        Predicate<SourcePlaces.Place> initializer = ExpectedHints::isInitializer;
        return owners.stream().filter(initializer).findFirst()
                .or(() -> owners.stream().filter(initializer.negate()).findFirst())
                .orElse(null);
    }

    private static boolean isInitializer(SourcePlaces.Place place) {
        return place.kind() == SourcePlaces.Kind.BLOCK || place.kind() == SourcePlaces.Kind.FIELD;
    }

    private static boolean covers(SourcePlaces.Place place, int line) {
        return place.first() <= line && line <= place.last();
    }

    private static Group group(SourcePlaces.Place caller, int line, FoldedStacks.Frame callee) {
        if (callee.name().startsWith("lambda$")) {
            return new Group(caller, line, "lambda", "");
        }
        if (callee.name().equals("<init>") || callee.name().equals("<clinit>")) {
            return new Group(caller, line, "class", callee.type());
        }
        return new Group(caller, line, "method", callee.name());
    }

    private List<Candidate> candidates() {
        List<Candidate> candidates = new ArrayList<>();
        totals.forEach((place, total) -> {
            if (place.kind() == SourcePlaces.Kind.FIELD || total.count < FEWEST || !reaches(total.weight, all.weight, 1_000)) {
                return;
            }
            Amount self = selves.getOrDefault(place, Amount.NONE);
            String text = share(total, all.weight);
            if (self.weight > 0 && reaches(self.weight, total.weight, 1_000)) {
                text += " · self " + share(self, total.weight);
            }
            candidates.add(new Candidate(place.file(), place.line(), kind(place), methodOf(place), text, "", total, all.weight,
                    place.order(), ""));
        });
        calls.forEach((group, amount) -> {
            long of = wholes.get(group.caller).weight;
            if (amount.count >= FEWEST && reaches(amount.weight, of, 50)) {
                candidates.add(new Candidate(group.caller.file(), group.line, "call", methodOf(group.caller),
                        share(amount, of) + " → ", target(group), amount, of, group.caller.order(), group.name));
            }
        });
        return candidates;
    }

    private static String kind(SourcePlaces.Place place) {
        return switch (place.kind()) {
            case LAMBDA -> "lambda";
            case BLOCK -> "initializer";
            default -> "method";
        };
    }

    private String methodOf(SourcePlaces.Place place) {
        return String.join(" ", tied.get(place));
    }

    private String target(Group group) {
        Set<String> found = targets.get(group);
        if (group.kind.equals("class")) {
            return simpleName(group.name);
        }
        if (found.size() > 1) {
            return found.size() + " targets";
        }
        String only = found.iterator().next();
        if (group.kind.equals("lambda")) {
            String name = only.substring(only.indexOf(".lambda$") + ".lambda$".length());
            return "lambda in " + name.substring(0, name.lastIndexOf('$', name.indexOf('(')));
        }
        return only.equals(group.caller.type()) ? group.name + "()" : simpleName(only);
    }

    private static String simpleName(String type) {
        String afterDot = type.substring(type.lastIndexOf('.') + 1);
        String afterDollar = afterDot.substring(afterDot.lastIndexOf('$') + 1);
        return afterDollar.matches("\\d*") ? afterDot : afterDollar;
    }

    /** Whether part / whole is at least 1 / divisor. */
    private static boolean reaches(long part, long whole, long divisor) {
        return BigInteger.valueOf(part).multiply(BigInteger.valueOf(divisor)).compareTo(BigInteger.valueOf(whole)) >= 0;
    }

    private static String share(Amount part, long whole) {
        if (!reaches(part.weight, whole, 1_000)) {
            return part.count == 1 ? "1 sample" : String.format(Locale.ROOT, "%,d samples", part.count);
        }
        int digits = reaches(part.weight, whole, 10) ? 0 : reaches(part.weight, whole, 100) ? 1 : 2;
        BigInteger twice = BigInteger.valueOf(whole).shiftLeft(1);
        BigInteger scaled = BigInteger.valueOf(part.weight).multiply(BigInteger.TEN.pow(2 + digits)).shiftLeft(1)
                .add(BigInteger.valueOf(whole)).divide(twice);
        return new BigDecimal(scaled, digits).toPlainString() + "%";
    }

    private void print() throws IOException {
        Comparator<Candidate> heaviest = Comparator.<Candidate>comparingLong(candidate -> -candidate.amount.weight)
                .thenComparingInt(Candidate::rank)
                .thenComparingInt(Candidate::order)
                .thenComparing(Candidate::name);
        Map<String, TreeMap<Integer, TreeSet<Candidate>>> byLine = new TreeMap<>();
        for (Candidate candidate : candidates()) {
            byLine.computeIfAbsent(candidate.file, unused -> new TreeMap<>())
                    .computeIfAbsent(candidate.line, unused -> new TreeSet<>(heaviest)).add(candidate);
        }
        Map<String, Integer> kinds = new TreeMap<>();
        try (PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)))) {
            byLine.forEach((file, lines) -> lines.forEach((line, candidates) -> {
                Candidate first = candidates.first();
                kinds.merge(first.kind, 1, Integer::sum);
                out.print("{\"file\":" + quote(file) + ",\"line\":" + line + ",\"kind\":" + quote(first.kind)
                        + ",\"method\":" + quote(first.method) + ",\"text\":" + quote(text(first, candidates.size()))
                        + ",\"count\":" + first.amount.count + ",\"weight\":" + first.amount.weight + ",\"of\":" + first.of + "}\n");
            }));
            sources.lineCounts.forEach((file, count) -> out.print("{\"file\":" + quote(file) + ",\"lines\":" + count
                    + ",\"empty\":" + empty(count, byLine.getOrDefault(file, new TreeMap<>()).keySet()) + "}\n"));
            List<String> sums = new ArrayList<>();
            kinds.forEach((kind, number) -> sums.add(quote(kind) + ":" + number));
            out.print("{\"samples\":" + all.count + ",\"truncated\":" + truncated + ",\"weight\":" + all.weight
                    + ",\"hints\":{" + String.join(",", sums) + "}}\n");
        }
    }

    /** A name too long for what is left of the 24 characters ends in an ellipsis. */
    private static String text(Candidate candidate, int ofLine) {
        String more = ofLine > 1 ? " +" + (ofLine - 1) : "";
        int room = LONGEST - candidate.text.length() - more.length();
        String target = candidate.target;
        return candidate.text + (target.length() <= room ? target : target.substring(0, room - 1) + "…") + more;
    }

    private static String empty(int count, Set<Integer> full) {
        List<String> ranges = new ArrayList<>();
        int first = 1;
        for (int line = 1; line <= count + 1; line++) {
            if (line > count || full.contains(line)) {
                if (first < line) {
                    ranges.add("[" + first + "," + (line - 1) + "]");
                }
                first = line + 1;
            }
        }
        return "[" + String.join(",", ranges) + "]";
    }

    private static String quote(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
