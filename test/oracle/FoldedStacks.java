// Reads the stacks of one event type from recordings with the JDK's own reader and drops the frames that nobody wrote.
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Samples with their folded stacks, root first. Those with a stack that was cut off are counted and left out. */
final class FoldedStacks {
    private static final int BRIDGE = 0x0040;
    private static final int SYNTHETIC = 0x1000;
    private static final Pattern HOP_CLASS = Pattern.compile(
            ".*\\$\\$Lambda.*"
                    + "|java\\.lang\\.invoke\\.(LambdaForm|DirectMethodHandle|DelegatingMethodHandle|Invokers|BoundMethodHandle)(\\$.*)?"
                    + "|jdk\\.internal\\.reflect\\.(.*Accessor.*)");

    /** One frame: a method of a class at a line. */
    record Frame(String type, String name, String descriptor, int line) {
        String key() {
            return type + "." + name + descriptor;
        }
    }

    /** One observation with its weight in the event's unit. */
    record Sample(List<Frame> stack, long weight) {
    }

    final List<Sample> samples = new ArrayList<>();
    int truncated;

    void read(Path recording, String eventType) throws IOException {
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(eventType)) {
                    add(event);
                }
            }
        }
    }

    private void add(RecordedEvent event) {
        long weight = event.hasField("samplingPeriod") ? event.getDuration("samplingPeriod").toNanos() : 1;
        List<Frame> stack = new ArrayList<>();
        if (event.getStackTrace() != null) {
            if (event.getStackTrace().isTruncated()) {
                truncated++;
                return;
            }
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                if (!isHop(frame.getMethod())) {
                    stack.add(frameOf(frame));
                }
            }
            Collections.reverse(stack);
        }
        samples.add(new Sample(stack, weight));
    }

    private static Frame frameOf(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        return new Frame(method.getType().getName(), method.getName(), method.getDescriptor(), frame.getLineNumber());
    }

    /** Bridges, accessors and generated classes: the frames that remain keep their own lines, so callers' lines stay right. */
    private static boolean isHop(RecordedMethod method) {
        int flags = method.getModifiers();
        boolean synthetic = (flags & SYNTHETIC) != 0;
        return (flags & BRIDGE) != 0
                || method.isHidden()
                || synthetic && method.getName().startsWith("access$")
                || HOP_CLASS.matcher(method.getType().getName()).matches();
    }
}
