// Works out which hint must stand on which line of a source root, from raw stacks and class files: the truth for the tests of hints.
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code java ExpectedHints.java event=TYPE classes=DIR sources=DIR recording=FILE... [thread=PATTERN...] [focus=CLASS.METHOD]
 * [format=default|ascii|verbose|TEMPLATE] [longest=NUMBER] [text=recorded|unknown] [print=hints|numbers] [before.classes=DIR before.sources=DIR before.recording=FILE... [renamed=NOW:BEFORE...]]} (JDK 25).
 *
 * <p>It follows docs/hints.md by counting raw stacks one by one. JSON lines on standard output: one
 * {@code {"file","line","kind","method","text","share","others","heat","count","weight","of","change"}} for each line that must carry a hint
 * ({@code of} is the weight of what the share is taken of, {@code others} the number behind {@code +}), then one
 * {@code {"file","lines","empty":[[first,last],...]}} for each file with the lines that must carry none, then
 * {@code {"samples","truncated","weight","hints":{kind: number},"ties"}}, where {@code ties} counts lines whose two heaviest weigh the same.
 */
public final class ExpectedHints {
    private static final int FEWEST = 10;

    private record Candidate(SourcePlaces.Place place, int line, int rank, HintWords.Words words, Amount amount, Amount of, Change change, String name,
            int more) {
        String kind() {
            return switch (rank) {
                case 0 -> place.kind() == SourcePlaces.Kind.BLOCK ? "initializer" : "method";
                case 1 -> "lambda";
                case 2 -> "call";
                default -> "line";
            };
        }
    }

    private final Counts counts;
    private final Map<Counts.Group, List<Counts.Target>> targetsOfGroup;
    private final Baseline baseline;
    private final HintWords words;
    private final boolean textIsRecorded;

    private ExpectedHints(Options options) throws IOException {
        counts = new Counts(options, "");
        targetsOfGroup = counts.targets.keySet().stream().collect(Collectors.groupingBy(Counts.Target::group));
        baseline = options.all("before.recording").isEmpty() ? null : new Baseline(new Counts(options, "before."), options.all("renamed"));
        String longest = options.one("longest", null);
        words = new HintWords(options.one("format", "default"), longest == null ? null : Integer.valueOf(longest));
        textIsRecorded = options.one("text", "recorded").equals("recorded");
    }

    /** Several questions may stand one after the other, {@code --} between them; their answers too. */
    public static void main(String[] args) throws IOException {
        try (PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)))) {
            List<String> all = List.of(args);
            for (int from = 0, to; from <= all.size(); from = to + 1) {
                int next = all.subList(from, all.size()).indexOf("--");
                to = next < 0 ? all.size() : from + next;
                Options options = new Options(all.subList(from, to));
                if (from > 0) {
                    out.print("--\n");
                }
                if (options.one("print", "hints").equals("numbers")) {
                    new ExpectedNumbers(options).print(out);
                } else {
                    new ExpectedHints(options).print(out);
                }
            }
        }
    }

    private List<Candidate> candidates() {
        List<Candidate> candidates = new ArrayList<>();
        Set<Counts.Line> taken = new HashSet<>();
        counts.totals.forEach((place, total) -> {
            if (place.kind() != SourcePlaces.Kind.FIELD && total.count() >= FEWEST && total.reaches(counts.selection.all, 1_000)) {
                candidates.add(method(place, total));
                taken.add(new Counts.Line(place, place.line()));
            }
        });
        counts.calls.forEach((group, amount) -> {
            Amount of = counts.wholes.get(group.caller());
            if (amount.count() >= FEWEST && amount.reaches(of, 50)) {
                Change change = baseline == null ? null : baseline.ofCall(counts, group);
                candidates.add(new Candidate(group.caller(), group.line(), 2, words.call(amount, of, target(group), change), amount, of,
                        change, group.name(), more(group)));
            }
        });
        Set<String> proven = provenFiles();
        counts.lines.forEach((line, amount) -> {
            Amount of = counts.wholes.get(line.owner());
            if (amount.count() >= FEWEST && amount.reaches(of, 50) && !taken.contains(line)
                    && proven.contains(line.owner().file())) {
                candidates.add(new Candidate(line.owner(), line.line(), 3, words.line(amount, of), amount, of, null, "", 0));
            }
        });
        return candidates;
    }

    /** Files whose lines are the recorded ones: all where the text is the recorded one, else those in which a call is found on its line. */
    private Set<String> provenFiles() {
        if (textIsRecorded) {
            return counts.sources.lineCounts.keySet();
        }
        return counts.calls.keySet().stream()
                .filter(group -> counts.sources.writtenCalls.contains(group.caller().file() + ":" + group.line() + " "
                        + (group.kind().equals("class") ? simpleName(group.name()) : group.name())))
                .map(group -> group.caller().file())
                .collect(Collectors.toSet());
    }

    private Candidate method(SourcePlaces.Place place, Amount total) {
        Amount all = counts.selection.all;
        Amount self = counts.selves.getOrDefault(place, Amount.NONE);
        Change change = baseline == null ? null : baseline.ofMethod(counts, place);
        HintWords.Around around = new HintWords.Around(counts.wholes.get(place), counts.beside(counts.callers, place),
                counts.beside(counts.callees, place), counts.beside(counts.threads, place));
        int rank = place.kind() == SourcePlaces.Kind.LAMBDA ? 1 : 0;
        return new Candidate(place, place.line(), rank, words.method(total, all, self, change, around), total, all, change, "", 0);
    }

    /** The methods behind a call, heaviest first; of equal ones the first name of a class. */
    private List<Counts.Target> targets(Counts.Group group) {
        return targetsOfGroup.getOrDefault(group, List.of()).stream()
                .sorted(Comparator.<Counts.Target>comparingLong(target -> -counts.targets.get(target).weight())
                        .thenComparing(Counts.Target::type))
                .toList();
    }

    /** How many others the name behind the arrow stands for: other lambdas, else other classes. */
    private int more(Counts.Group group) {
        List<Counts.Target> targets = targets(group);
        return (int) (group.kind().equals("lambda") ? targets.size() : targets.stream().map(Counts.Target::type).distinct().count()) - 1;
    }

    private String target(Counts.Group group) {
        if (group.kind().equals("class")) {
            return simpleName(group.name());
        }
        Counts.Target heaviest = targets(group).get(0);
        if (group.kind().equals("lambda")) {
            String key = heaviest.key();
            String name = key.substring(key.indexOf(".lambda$") + ".lambda$".length());
            return "lambda in " + name.substring(0, name.lastIndexOf('$', name.indexOf('(')));
        }
        boolean isOwn = more(group) == 0 && heaviest.type().equals(group.caller().type());
        return isOwn ? group.name() + "()" : simpleName(heaviest.type());
    }

    private static String simpleName(String type) {
        String afterDot = type.substring(type.lastIndexOf('.') + 1);
        String afterDollar = afterDot.substring(afterDot.lastIndexOf('$') + 1);
        return afterDollar.matches("\\d*") ? afterDot : afterDollar.replaceFirst("^\\d+", "");
    }

    private void print(PrintWriter out) {
        Comparator<Candidate> heaviest = Comparator.<Candidate>comparingLong(candidate -> -candidate.amount.weight())
                .thenComparingInt(Candidate::rank)
                .thenComparingInt(candidate -> candidate.place.order())
                .thenComparing(Candidate::name);
        Map<String, TreeMap<Integer, TreeSet<Candidate>>> byLine = new TreeMap<>();
        for (Candidate candidate : candidates()) {
            byLine.computeIfAbsent(candidate.place.file(), unused -> new TreeMap<>())
                    .computeIfAbsent(candidate.line, unused -> new TreeSet<>(heaviest)).add(candidate);
        }
        Map<String, Integer> kinds = new TreeMap<>();
        int[] ties = {0};
        byLine.forEach((file, lines) -> lines.forEach((line, candidates) -> {
            Candidate first = candidates.first();
            kinds.merge(first.kind(), 1, Integer::sum);
            ties[0] += candidates.stream().skip(1).limit(1).anyMatch(next -> next.amount.weight() == first.amount.weight()) ? 1 : 0;
            out.print(json(file, line, first, first.more + (int) candidates.stream().skip(1).filter(other -> other.rank != 3).count()) + "\n");
        }));
        counts.sources.lineCounts.forEach((file, count) -> out.print("{\"file\":" + quote(file) + ",\"lines\":" + count
                + ",\"empty\":" + empty(count, byLine.getOrDefault(file, new TreeMap<>()).keySet()) + "}\n"));
        List<String> sums = new ArrayList<>();
        kinds.forEach((kind, number) -> sums.add(quote(kind) + ":" + number));
        Amount all = counts.selection.all;
        out.print("{\"samples\":" + all.count() + ",\"truncated\":" + counts.selection.truncated + ",\"weight\":" + all.weight()
                + ",\"ties\":" + ties[0] + ",\"hints\":{" + String.join(",", sums) + "}}\n");
    }

    private String json(String file, int line, Candidate hint, int others) {
        return "{\"file\":" + quote(file) + ",\"line\":" + line + ",\"kind\":" + quote(hint.kind())
                + ",\"method\":" + quote(String.join(" ", counts.tied.get(hint.place)))
                + ",\"text\":" + quote(words.text(hint.words, others, counts.sources.lines.get(file).get(line - 1))) + ",\"share\":" + quote(hint.amount.text(hint.of))
                + ",\"others\":" + others + ",\"heat\":" + hint.amount.shareOf(counts.selection.all) + ",\"count\":" + hint.amount.count()
                + ",\"weight\":" + hint.amount.weight() + ",\"of\":" + hint.of.weight()
                + ",\"change\":" + (hint.change == null ? "null" : hint.change.json()) + "}";
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
