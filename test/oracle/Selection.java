// The samples that are looked at: of one event, on some threads, below a focus.
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Samples whose stacks are complete, each with where what is looked at begins. */
final class Selection {
    /** {@code from}: the frame that is the first of what counts; those above it are only callers. */
    record Seen(FoldedStacks.Sample sample, int from) {
        List<FoldedStacks.Frame> stack() {
            return sample.stack();
        }
    }

    /** The stacks by recordings: stacks that were read for one question serve the next. */
    private static final Map<List<String>, FoldedStacks> STACKS = new HashMap<>();

    final List<Seen> samples = new ArrayList<>();
    /** Samples whose stack was cut off and found no place. */
    final long truncated;
    Amount all = Amount.NONE;

    /**
     * @param recordings what was recorded together: stacks that were cut off are placed among all of them
     * @param options {@code event}, all of which count together; {@code thread} patterns with {@code *}; {@code focus} as {@code Class.method}
     */
    Selection(List<String> recordings, Options options) throws IOException {
        FoldedStacks stacks = stacksOf(recordings);
        List<String> events = options.all("event").isEmpty() ? List.of("jdk.ExecutionSample") : options.all("event");
        List<Pattern> threads = options.all("thread").stream().map(Selection::glob).toList();
        String focus = options.one("focus", null);
        for (FoldedStacks.Sample sample : stacks.complete) {
            int from = focus == null ? 0 : first(sample.stack(), focus);
            boolean runsThere = threads.isEmpty() || threads.stream().anyMatch(one -> one.matcher(sample.thread().name()).matches());
            if (events.contains(sample.event()) && runsThere && from >= 0) {
                samples.add(new Seen(sample, from));
                all = all.plus(Amount.of(sample));
            }
        }
        truncated = stacks.cut.stream().filter(sample -> events.contains(sample.event())).count();
    }

    private static FoldedStacks stacksOf(List<String> recordings) throws IOException {
        FoldedStacks known = STACKS.get(recordings);
        if (known != null) {
            return known;
        }
        FoldedStacks stacks = new FoldedStacks();
        for (String recording : recordings) {
            stacks.read(Path.of(recording));
        }
        PartialStacks.graft(stacks.complete, stacks.cut);
        STACKS.put(recordings, stacks);
        return stacks;
    }

    /** Of several frames of the focus on one stack the outermost counts; −1 where there is none. */
    private static int first(List<FoldedStacks.Frame> stack, String focus) {
        for (int i = 0; i < stack.size(); i++) {
            if (focus.equals(stack.get(i).type() + "." + stack.get(i).name())) {
                return i;
            }
        }
        return -1;
    }

    private static Pattern glob(String pattern) {
        StringBuilder expression = new StringBuilder();
        for (String part : pattern.split("(?<=\\*)|(?=\\*)")) {
            expression.append(part.equals("*") ? ".*" : Pattern.quote(part));
        }
        return Pattern.compile(expression.toString());
    }
}
