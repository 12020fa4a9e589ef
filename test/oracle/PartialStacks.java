// Finds the place of stacks that were cut off at the root end among complete ones, one stack at a time.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/**
 * A cut stack is compared by methods alone with every place of the tree of all complete stacks, of whatever event. When a single place
 * is left after more than {@link #FRAMES} frames, the rest of the stack belongs there. All stacks of a round see the same tree; rounds
 * go on until none finds its place.
 */
final class PartialStacks {
    private static final int FRAMES = 3;

    /** A method in a calling context. */
    private static final class Node {
        final Node parent;
        final FoldedStacks.Frame method;
        /** The line in the parent from which it was called. */
        final int line;
        final Map<String, Node> children = new HashMap<>();

        Node(Node parent, FoldedStacks.Frame method, int line) {
            this.parent = parent;
            this.method = method;
            this.line = line;
        }
    }

    private PartialStacks() {
    }

    /** Moves those of {@code cut} whose place is certain to {@code complete}, with the frames above that they lack. */
    static void graft(List<FoldedStacks.Sample> complete, List<FoldedStacks.Sample> cut) {
        for (boolean changed = true; changed;) {
            Map<String, List<Node>> places = placesByMethod(complete);
            List<FoldedStacks.Sample> found = new ArrayList<>();
            cut.removeIf(sample -> {
                List<FoldedStacks.Frame> whole = wholeStack(sample.stack(), places);
                if (whole != null) {
                    found.add(new FoldedStacks.Sample(sample.event(), whole, sample.weight(), sample.thread()));
                }
                return whole != null;
            });
            complete.addAll(found);
            changed = !found.isEmpty();
        }
    }

    private static Map<String, List<Node>> placesByMethod(List<FoldedStacks.Sample> complete) {
        Map<String, List<Node>> places = new HashMap<>();
        Node root = new Node(null, null, 0);
        for (FoldedStacks.Sample sample : complete) {
            Node node = root;
            int line = 0;
            for (FoldedStacks.Frame frame : sample.stack()) {
                String step = line + " " + frame.key();
                Node child = node.children.get(step);
                if (child == null) {
                    child = new Node(node, frame, line);
                    node.children.put(step, child);
                    places.computeIfAbsent(frame.key(), unused -> new ArrayList<>()).add(child);
                }
                node = child;
                line = frame.line();
            }
        }
        return places;
    }

    /** null where the place is not certain. */
    private static List<FoldedStacks.Frame> wholeStack(List<FoldedStacks.Frame> stack, Map<String, List<Node>> places) {
        List<Node> candidates = List.of();
        for (int matched = 1; matched <= stack.size(); matched++) {
            String method = stack.get(matched - 1).key();
            if (matched == 1) {
                candidates = places.getOrDefault(method, List.of());
            } else {
                candidates = candidates.stream()
                        .flatMap(place -> place.children.values().stream())
                        .filter(child -> child.method.key().equals(method))
                        .toList();
            }
            if (candidates.isEmpty()) {
                return null;
            }
            if (candidates.size() == 1 && matched > FRAMES) {
                return below(candidates.get(0), stack.subList(matched - 1, stack.size()));
            }
        }
        return null;
    }

    /** The frames above a place, each on the line of its call, then {@code rest}, whose first frame is the place's own method. */
    private static List<FoldedStacks.Frame> below(Node place, List<FoldedStacks.Frame> rest) {
        LinkedList<FoldedStacks.Frame> whole = new LinkedList<>(rest);
        for (Node node = place; node.parent.method != null; node = node.parent) {
            FoldedStacks.Frame caller = node.parent.method;
            whole.addFirst(new FoldedStacks.Frame(caller.type(), caller.name(), caller.descriptor(), node.line));
        }
        return whole;
    }
}
