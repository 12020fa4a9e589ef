// Writes a recording whose 100 samples have the name of JDK 9, beside a sleep: java Renamed.java out.jfr.
import jdk.jfr.*;
import java.nio.file.*;

public class Renamed {
    @Name("com.oracle.jdk.ExecutionSample") @StackTrace(true)
    static class Oracle9 extends Event { @Label("Thread") Thread sampledThread; @Label("Thread State") String state = "STATE_RUNNABLE"; }

    static void inner() {
        var e = new Oracle9(); e.sampledThread = Thread.currentThread(); e.commit();
    }
    static void outer(int times) {
        for (int i = 0; i < times; i++) inner();
    }
    public static void main(String[] args) throws Exception {
        try (var r = new Recording()) {
            r.enable("jdk.ThreadSleep").withThreshold(java.time.Duration.ofMillis(1));
            r.start();
            outer(100);
            Thread.sleep(20);
            r.stop();
            r.dump(Path.of(args[0]));
        }
    }
}
