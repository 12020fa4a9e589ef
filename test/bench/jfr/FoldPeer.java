// Folds the wanted events of a recording with the JDK's own reader and prints how long it took: the peer of the reading benchmark.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * {@code java FoldPeer.java file|stream RECORDING SECONDS EVENT...}: folds again and again for so many seconds (at least once)
 * and prints {@code samples nodes nanoseconds… megabytes megabytes}, one duration a fold, then resident memory now and at
 * most; the first fold is cold. What is built is what the project's reader builds: a tree of (method, line of the call), cut-off stacks apart, with
 * counts for each thread and line at its leaves.
 */
public final class FoldPeer {
    private record Call(String method, int line) {}

    private record Cell(String thread, int line) {}

    private static final class Node {
        final Map<Call, Node> children = new HashMap<>(4);
        final Map<Cell, long[]> cells = new HashMap<>(4);
    }

    /** Where a stack ends in the tree. */
    private record Leaf(Node node, int line) {}

    private final Node root = new Node();
    private final IdentityHashMap<RecordedMethod, String> methods = new IdentityHashMap<>();
    private final IdentityHashMap<RecordedStackTrace, Leaf> leaves = new IdentityHashMap<>();
    private long samples;
    private long nodes;

    public static void main(String[] args) throws IOException {
        Path recording = Path.of(args[1]);
        long end = System.nanoTime() + (long) (Double.parseDouble(args[2]) * 1e9);
        Set<String> events = Set.copyOf(List.of(args).subList(3, args.length));
        StringBuilder times = new StringBuilder();
        FoldPeer peer;
        do {
            long start = System.nanoTime();
            peer = new FoldPeer();
            if (args[0].equals("stream")) {
                peer.foldStream(recording, events);
            } else {
                peer.foldFile(recording, events);
            }
            times.append(' ').append(System.nanoTime() - start);
        } while (System.nanoTime() < end);
        System.out.println(peer.samples + " " + peer.nodes + times + " " + megabytes("VmRSS:") + " " + megabytes("VmHWM:"));
    }

    /** As Linux tells it; 0 elsewhere. */
    private static long megabytes(String field) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(field)).mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1000).sum();
        }
    }

    private void foldFile(Path recording, Set<String> events) throws IOException {
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (events.contains(event.getEventType().getName())) {
                    add(event);
                }
            }
        }
    }

    private void foldStream(Path recording, Set<String> events) throws IOException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (EventStream stream = EventStream.openFile(recording)) {
            stream.setOrdered(false);
            // Objects are not used again, so stacks can be told apart by identity.
            stream.setReuse(false);
            stream.onError(failure::set);
            events.forEach(event -> stream.onEvent(event, this::add));
            stream.start();
        }
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
    }

    private void add(RecordedEvent event) {
        samples++;
        RecordedThread thread = event.hasField("sampledThread") ? event.getThread("sampledThread") : event.getThread();
        // The name of a null method or thread does not matter here.
        String name = thread == null ? "-" : thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
        RecordedStackTrace stack = event.getStackTrace();
        Leaf leaf = stack == null ? new Leaf(root, 0) : leaves.computeIfAbsent(stack, this::place);
        leaf.node.cells.computeIfAbsent(new Cell(name, leaf.line), cell -> new long[1])[0]++;
    }

    private Leaf place(RecordedStackTrace stack) {
        List<RecordedFrame> frames = stack.getFrames();
        Node node = stack.isTruncated() ? child(root, new Call("[truncated]", 0)) : root;
        int line = 0;
        for (int i = frames.size() - 1; i >= 0; i--) {
            RecordedFrame frame = frames.get(i);
            node = child(node, new Call(methods.computeIfAbsent(frame.getMethod(), FoldPeer::name), line));
            line = frame.getLineNumber();
        }
        return new Leaf(node, line);
    }

    private Node child(Node node, Call call) {
        Node child = node.children.get(call);
        if (child == null) {
            child = new Node();
            node.children.put(call, child);
            nodes++;
        }
        return child;
    }

    private static String name(RecordedMethod method) {
        return method == null ? "-" : method.getType().getName() + "." + method.getName() + method.getDescriptor();
    }
}
