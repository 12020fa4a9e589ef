// Counts for each method that ran who called it, what it called, on which threads, and how its share moved: the truth behind lists and hovers.
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JSON lines: {@code {"method","file","line","total","self","callers","callees","threads","change"}} for each method, of which those
 * of the Java platform have no surroundings; {@code {"path",...}} for what lies around the method {@code root}, two calls deep in both
 * directions; {@code {"task",...}} for what each {@code task=EXPRESSION=>NAME} yields, then {@code {"samples","weight"}}.
 */
final class ExpectedNumbers {
    private static final String PROGRAM = "com.acme.";

    /** {@code line} is that of the call for callees, else 0. */
    private record Beside(String method, String other, int line) {
    }

    private final Counts counts;
    private final Baseline baseline;
    private final String root;
    private final List<String> tasks;
    private final Map<String, Amount> selves = new HashMap<>();
    private final Map<Beside, Amount> callers = new HashMap<>();
    private final Map<Beside, Amount> callees = new HashMap<>();
    private final Map<Beside, Amount> threads = new HashMap<>();
    private final Map<String, Amount> down = new TreeMap<>();
    private final Map<String, Amount> up = new TreeMap<>();
    private final Map<String, Amount> passed = new TreeMap<>();

    ExpectedNumbers(Options options) throws IOException {
        counts = new Counts(options, "");
        baseline = options.all("before.recording").isEmpty() ? null : new Baseline(new Counts(options, "before."), options.all("renamed"));
        root = options.one("root", "");
        tasks = options.all("task");
        counts.selection.samples.forEach(this::count);
    }

    private void count(Selection.Seen seen) {
        Amount one = Amount.of(seen.sample());
        List<String> stack = seen.stack().stream().map(FoldedStacks.Frame::key).toList();
        Set<Beside> above = new HashSet<>();
        Set<Beside> below = new HashSet<>();
        Set<Beside> on = new HashSet<>();
        Set<String> paths = new HashSet<>();
        Set<String> pathsUp = new HashSet<>();
        for (int i = seen.from(); i < stack.size(); i++) {
            String key = stack.get(i);
            on.add(new Beside(key, thread(seen.sample().thread()), 0));
            if (i > 0) {
                above.add(new Beside(key, stack.get(i - 1), 0));
            }
            if (i + 1 < stack.size()) {
                below.add(new Beside(key, stack.get(i + 1), seen.stack().get(i).line()));
            }
            if (key.equals(root)) {
                for (int deep = 1; deep <= 2; deep++) {
                    if (i + deep < stack.size()) {
                        paths.add(path(stack.subList(i + 1, i + deep + 1)));
                    }
                    if (i - deep >= 0) {
                        pathsUp.add(path(stack.subList(i - deep, i).reversed()));
                    }
                }
            }
        }
        add(above, callers, one);
        add(below, callees, one);
        add(on, threads, one);
        add(paths, down, one);
        add(pathsUp, up, one);
        add(tasksOn(seen), passed, one);
        if (!stack.isEmpty()) {
            selves.merge(stack.get(stack.size() - 1), one, Amount::plus);
        }
    }

    private Set<String> tasksOn(Selection.Seen seen) {
        Set<String> names = new HashSet<>();
        for (String task : tasks) {
            int arrow = task.indexOf("=>");
            Pattern expression = Pattern.compile(task.substring(0, arrow));
            for (FoldedStacks.Frame frame : seen.stack().subList(seen.from(), seen.stack().size())) {
                Matcher matcher = expression.matcher(frame.type() + "." + frame.name());
                if (matcher.find()) {
                    StringBuilder name = new StringBuilder();
                    int before = matcher.start();
                    matcher.appendReplacement(name, task.substring(arrow + 2));
                    names.add(name.substring(before));
                }
            }
        }
        return names;
    }

    private static <K> void add(Set<K> keys, Map<K, Amount> sums, Amount one) {
        keys.forEach(key -> sums.merge(key, one, Amount::plus));
    }

    private static String thread(FoldedStacks.ThreadName name) {
        return "\"group\":\"" + name.group() + "\",\"name\":\"" + name.name() + "\",\"virtual\":" + name.virtual();
    }

    private static String path(List<String> methods) {
        return "[\"" + String.join("\",\"", methods) + "\"]";
    }

    void print(PrintWriter out) {
        Amount all = counts.selection.all;
        Map<String, SourcePlaces.Place> places = new HashMap<>();
        counts.tied.forEach((place, keys) -> {
            if (!Counts.isInitializer(place)) {
                places.put(keys.get(0), place);
            }
        });
        for (String key : baseline == null ? counts.methods.keySet() : baseline.allKeys(counts)) {
            Amount total = counts.methods.getOrDefault(key, Amount.NONE);
            SourcePlaces.Place place = places.get(key);
            boolean own = key.startsWith(PROGRAM);
            out.print("{\"method\":\"" + key + "\",\"file\":" + (place == null ? "null" : "\"" + place.file() + "\"")
                    + ",\"line\":" + (place == null ? 0 : place.line()) + ",\"total\":" + json(total, all)
                    + ",\"self\":" + json(selves.getOrDefault(key, Amount.NONE), counts.selection.all)
                    + ",\"selfOfMethod\":" + json(selves.getOrDefault(key, Amount.NONE), total)
                    + ",\"callers\":" + (own ? beside(callers, key, total) : "[]") + ",\"callees\":" + (own ? beside(callees, key, total) : "[]")
                    + ",\"threads\":" + (own ? beside(threads, key, total) : "[]")
                    + ",\"change\":" + (baseline == null ? "null" : baseline.ofKey(counts, key).json()) + "}\n");
        }
        Amount whole = counts.methods.getOrDefault(root, Amount.NONE);
        down.forEach((path, amount) -> out.print("{\"path\":" + path + ",\"direction\":\"outgoing\",\"amount\":" + json(amount, whole) + "}\n"));
        up.forEach((path, amount) -> out.print("{\"path\":" + path + ",\"direction\":\"incoming\",\"amount\":" + json(amount, whole) + "}\n"));
        passed.forEach((name, amount) -> out.print("{\"task\":\"" + name + "\",\"amount\":" + json(amount, all) + "}\n"));
        out.print("{\"samples\":" + all.count() + ",\"weight\":" + all.weight() + "}\n");
    }

    private static String beside(Map<Beside, Amount> sums, String method, Amount total) {
        List<String> rows = new ArrayList<>();
        sums.forEach((beside, amount) -> {
            if (beside.method.equals(method)) {
                String what = beside.other.startsWith("\"") ? beside.other : "\"method\":\"" + beside.other + "\",\"line\":" + beside.line;
                rows.add("{" + what + ",\"amount\":" + json(amount, total) + "}");
            }
        });
        return "[" + String.join(",", rows) + "]";
    }

    private static String json(Amount amount, Amount whole) {
        return "{\"count\":" + amount.count() + ",\"of\":" + whole.count() + ",\"weight\":" + amount.weight()
                + ",\"share\":" + amount.shareOf(whole) + ",\"text\":\"" + (amount.count() == 0 ? "0 samples" : amount.text(whole)) + "\"}";
    }
}
