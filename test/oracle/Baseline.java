// Finds what declarations of one version were in an earlier one, and how their shares moved since.
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An earlier version with its own sources, classes and recordings. */
final class Baseline {
    private final Counts before;
    /** Keys without descriptors, now → before, of methods that were renamed or moved. */
    private final Map<String, String> renamed = new HashMap<>();

    Baseline(Counts before, List<String> renamed) {
        this.before = before;
        for (String pair : renamed) {
            this.renamed.put(pair.substring(0, pair.indexOf(':')), pair.substring(pair.indexOf(':') + 1));
        }
    }

    /** A method whose parameters or result changed is the same where the earlier version has only one of its name. */
    String keyBefore(String key) {
        int end = key.indexOf('(');
        String name = key.substring(0, end);
        String earlier = renamed.getOrDefault(name, name);
        if (before.methods.containsKey(earlier + key.substring(end))) {
            return earlier + key.substring(end);
        }
        List<String> named = before.methods.keySet().stream().filter(other -> other.startsWith(earlier + "(")).toList();
        return named.size() == 1 ? named.get(0) : earlier + key.substring(end);
    }

    /** null for blocks, whose lines are another version's. */
    Change ofMethod(Counts now, SourcePlaces.Place place) {
        if (Counts.isInitializer(place)) {
            return null;
        }
        return ofKey(now, now.tied.get(place).get(0));
    }

    Change ofKey(Counts now, String key) {
        return Change.of(before.methods.getOrDefault(keyBefore(key), Amount.NONE), before.selection.all,
                now.methods.getOrDefault(key, Amount.NONE), now.selection.all);
    }

    /** null where the calls of a name are on another number of lines, or the method had not run. */
    Change ofCall(Counts now, Counts.Group group) {
        if (Counts.isInitializer(group.caller())) {
            return null;
        }
        String earlier = keyBefore(now.tied.get(group.caller()).get(0));
        SourcePlaces.Place caller = before.tied.entrySet().stream()
                .filter(entry -> !Counts.isInitializer(entry.getKey()) && entry.getValue().contains(earlier))
                .map(Map.Entry::getKey).findFirst().orElse(null);
        if (caller == null || !before.wholes.containsKey(caller)) {
            return null;
        }
        List<Counts.Group> then = alike(before, caller, group.kind(), namesBefore(now, group));
        List<Counts.Group> since = alike(now, group.caller(), group.kind(), Set.of(group.name()));
        if (!then.isEmpty() && then.size() != since.size()) {
            return null;
        }
        Amount was = then.isEmpty() ? Amount.NONE : before.calls.get(then.get(since.indexOf(group)));
        return Change.of(was, before.wholes.get(caller), now.calls.get(group), now.wholes.get(group.caller()));
    }

    /** A call of a renamed method is compared with that of its earlier name. */
    private Set<String> namesBefore(Counts now, Counts.Group group) {
        Set<String> names = new TreeSet<>();
        for (String type : group.kind().equals("method") ? now.typesOf(group) : Set.<String>of()) {
            String name = type + "." + group.name();
            String earlier = renamed.getOrDefault(name, name);
            names.add(earlier.substring(earlier.lastIndexOf('.') + 1));
        }
        return names.isEmpty() ? Set.of(group.name()) : names;
    }

    private static List<Counts.Group> alike(Counts counts, SourcePlaces.Place caller, String kind, Set<String> names) {
        return counts.calls.keySet().stream()
                .filter(other -> other.caller().equals(caller) && other.kind().equals(kind) && names.contains(other.name()))
                .sorted(Comparator.comparingInt(Counts.Group::line))
                .toList();
    }

    /** Keys of all methods of both versions, by their present names where they have one. */
    Set<String> allKeys(Counts now) {
        Set<String> keys = new TreeSet<>(now.methods.keySet());
        Set<String> known = new TreeSet<>();
        keys.forEach(key -> known.add(keyBefore(key)));
        before.methods.keySet().stream().filter(key -> !known.contains(key)).forEach(keys::add);
        return keys;
    }
}
