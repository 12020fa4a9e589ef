// The arguments of the oracles: `key=value`, some of them several times.
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The questions to an oracle. */
final class Options {
    private final Map<String, List<String>> values = new HashMap<>();

    Options(List<String> args) {
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(arg + " is not key=value");
            }
            values.computeIfAbsent(arg.substring(0, equals), unused -> new ArrayList<>()).add(arg.substring(equals + 1));
        }
    }

    List<String> all(String key) {
        return values.getOrDefault(key, List.of());
    }

    /** The value, or {@code otherwise} where there is none. */
    String one(String key, String otherwise) {
        return all(key).isEmpty() ? otherwise : all(key).get(0);
    }

    Path path(String key) {
        if (all(key).size() != 1) {
            throw new IllegalArgumentException("one " + key + " is needed");
        }
        return Path.of(all(key).get(0));
    }
}
