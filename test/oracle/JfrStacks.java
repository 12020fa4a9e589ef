// Prints the collapsed stacks of a recording as the JDK's own reader sees them: the truth for the tests of the project's reader.
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * {@code java JfrStacks.java [--weights | --each] RECORDING EVENT_TYPE...} (JDK 17 and later).
 *
 * <p>One line for each different stack, sorted by UTF-16 code units: {@code thread;[truncated];Class.method(descriptor):line;... count [weight]},
 * root first. {@code --each} tells of each type apart, with weights, behind a line {@code -- TYPE}. Every chunk is read as a file of its own, because {@link RecordingFile} carries constants from one chunk into the next
 * when their ids are equal. Chunks that cannot be read are named on standard error, and the exit status is then 3.
 */
public final class JfrStacks {
    private static final int HEADER = 68;
    private static final int MAGIC = 0x464C5200;

    private record Sums(long count, long weight) {
        Sums plus(Sums other) {
            return new Sums(count + other.count, weight + other.weight);
        }
    }

    private final Set<String> types;
    private final boolean apart;
    /** By the type of their events, or all by an empty name. */
    private final TreeMap<String, TreeMap<String, Sums>> lines = new TreeMap<>();
    private boolean failed;

    private JfrStacks(Set<String> types, boolean apart) {
        this.types = types;
        this.apart = apart;
    }

    public static void main(String[] args) throws IOException {
        boolean apart = args.length > 0 && args[0].equals("--each");
        int first = apart || args.length > 0 && args[0].equals("--weights") ? 1 : 0;
        if (args.length < first + 2) {
            System.err.println("usage: java JfrStacks.java [--weights | --each] RECORDING EVENT_TYPE...");
            System.exit(2);
        }
        JfrStacks stacks = new JfrStacks(new TreeSet<>(List.of(args).subList(first + 1, args.length)), apart);
        stacks.readChunks(Path.of(args[first]));
        stacks.print(first == 1);
        System.exit(stacks.failed ? 3 : 0);
    }

    private void readChunks(Path recording) throws IOException {
        Path copy = Files.createTempFile("chunk", ".jfr");
        try (FileChannel in = FileChannel.open(recording)) {
            int number = 0;
            for (long start = 0; start < in.size(); number++) {
                ByteBuffer header = ByteBuffer.allocate(HEADER);
                in.read(header, start);
                long size = header.getLong(8);
                if (header.getInt(0) != MAGIC || size < HEADER || start + size > in.size()) {
                    complain("chunk " + number + " at byte " + start + " is not complete");
                    return;
                }
                try (FileChannel out = FileChannel.open(copy, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                    for (long done = 0; done < size; ) {
                        done += in.transferTo(start + done, size - done, out);
                    }
                }
                readChunk(copy, number);
                start += size;
            }
        } finally {
            Files.delete(copy);
        }
    }

    private void readChunk(Path chunk, int number) {
        try (RecordingFile file = new RecordingFile(chunk)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String type = event.getEventType().getName();
                if (types.contains(type)) {
                    lines.computeIfAbsent(apart ? type : "", unused -> new TreeMap<>()).merge(line(event), new Sums(1, weight(event)), Sums::plus);
                }
            }
        } catch (IOException | RuntimeException broken) {
            complain("chunk " + number + ": " + broken);
        }
    }

    private void complain(String what) {
        System.err.println(what);
        failed = true;
    }

    private static String line(RecordedEvent event) {
        StringBuilder line = new StringBuilder(threadName(event));
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null) {
            return line.append(";[no stack]").toString();
        }
        if (stack.isTruncated()) {
            line.append(";[truncated]");
        }
        List<RecordedFrame> frames = stack.getFrames();
        for (int i = frames.size() - 1; i >= 0; i--) {
            RecordedFrame frame = frames.get(i);
            line.append(';').append(methodName(frame.getMethod())).append(':').append(frame.getLineNumber());
        }
        return line.toString();
    }

    private static String methodName(RecordedMethod method) {
        if (method == null) {
            return "[no method]";
        }
        String owner = method.getType() == null ? "?" : method.getType().getName();
        // Descriptors keep their semicolons, which stand inside parentheses or before the line.
        return clean(owner) + "." + clean(method.getName()) + method.getDescriptor();
    }

    private static String threadName(RecordedEvent event) {
        RecordedThread thread = event.hasField("sampledThread") ? event.getThread("sampledThread")
                : event.hasField("eventThread") ? event.getThread() : null;
        if (thread == null) {
            return "-";
        }
        String name = thread.getJavaName() == null || thread.getJavaName().isEmpty() ? thread.getOSName() : thread.getJavaName();
        return name == null || name.isEmpty() ? "-" : clean(name);
    }

    private static String clean(String name) {
        return name.replace(';', '_').replace('\n', '_').replace('\r', '_');
    }

    /** The weight of an event: bytes, nanoseconds, or one. */
    private static long weight(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case "jdk.CPUTimeSample" -> event.getDuration("samplingPeriod").toNanos();
            case "jdk.ObjectAllocationSample" -> event.getLong("weight");
            case "jdk.ObjectAllocationInNewTLAB" -> event.getLong("tlabSize");
            case "jdk.ObjectAllocationOutsideTLAB" -> event.getLong("allocationSize");
            default -> event.hasField("duration") ? event.getDuration().toNanos() : 1;
        };
    }

    private void print(boolean weights) throws IOException {
        try (Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))) {
            for (var type : lines.entrySet()) {
                if (apart) {
                    out.write("-- " + type.getKey() + "\n");
                }
                for (Map.Entry<String, Sums> entry : type.getValue().entrySet()) {
                    Sums sums = entry.getValue();
                    out.write(entry.getKey() + " " + sums.count() + (weights ? " " + sums.weight() : "") + "\n");
                }
            }
        }
    }
}
