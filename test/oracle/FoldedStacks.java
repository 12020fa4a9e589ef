// Reads the stacks of all events that are measured from recordings with the JDK's own reader and drops the frames that nobody wrote.
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Samples with their folded stacks, root first. Those with a stack that was cut off stand apart until their place is found. */
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

    /** Their stacks tell about calling contexts, whichever of them is shown. */
    private static final Set<String> MEASURED = Set.of(
            "jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample", "jdk.ObjectAllocationSample",
            "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark", "jdk.ThreadSleep",
            "jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite",
            "jdk.JavaExceptionThrow", "jdk.JavaErrorThrow");

    /** Where it was observed; digits of the name are {@code #}. */
    record ThreadName(String group, String name, boolean virtual) {
    }

    /** One observation with its weight in the event's unit. */
    record Sample(String event, List<Frame> stack, long weight, ThreadName thread) {
    }

    final List<Sample> complete = new ArrayList<>();
    final List<Sample> cut = new ArrayList<>();

    void read(Path recording) throws IOException {
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (MEASURED.contains(event.getEventType().getName())) {
                    add(event);
                }
            }
        }
    }

    private void add(RecordedEvent event) {
        List<Frame> stack = new ArrayList<>();
        if (event.getStackTrace() != null) {
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                if (!isHop(frame.getMethod())) {
                    stack.add(frameOf(frame));
                }
            }
            Collections.reverse(stack);
        }
        boolean whole = event.getStackTrace() == null || !event.getStackTrace().isTruncated();
        (whole ? complete : cut).add(new Sample(event.getEventType().getName(), stack, weightOf(event), threadOf(event)));
    }

    /** Bytes, nanoseconds, or one. */
    private static long weightOf(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case "jdk.CPUTimeSample" -> event.getDuration("samplingPeriod").toNanos();
            case "jdk.ObjectAllocationSample" -> event.getLong("weight");
            case "jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.JavaExceptionThrow", "jdk.JavaErrorThrow" -> 1;
            default -> event.getDuration().toNanos();
        };
    }

    private static ThreadName threadOf(RecordedEvent event) {
        RecordedThread thread = event.hasField("sampledThread") ? event.getThread("sampledThread") : event.getThread();
        if (thread == null) {
            return new ThreadName("", "", false);
        }
        String name = thread.getJavaName() == null || thread.getJavaName().isEmpty() ? thread.getOSName() : thread.getJavaName();
        String group = thread.getThreadGroup() == null ? "" : thread.getThreadGroup().getName();
        return new ThreadName(numberless(group), numberless(name), thread.isVirtual());
    }

    private static String numberless(String name) {
        return name == null ? "" : name.replaceAll("[0-9]+", "#");
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
