// Writes a hint in one of the forms of docs/hints.md.
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The words of hints in one form. */
final class HintWords {
    /** Amounts of the surroundings of a method, heaviest first. */
    record Around(Amount whole, List<Amount> callers, List<Amount> callees, List<Amount> threads) {
    }

    /** {@code head} and what may be cut behind it; whether the limit of length holds. */
    record Words(String head, String target, boolean limited) {
    }

    private final boolean ascii;
    private final boolean verbose;
    /** null for the other forms. */
    private final String template;
    /** null where the length of the line decides. */
    private final Integer longest;

    HintWords(String format, Integer longest) {
        ascii = format.equals("ascii");
        verbose = format.equals("verbose");
        template = format.contains("${") ? format : null;
        this.longest = longest;
    }

    Words method(Amount total, Amount all, Amount self, Change change, Around around) {
        boolean hasSelf = self.weight() > 0 && self.reaches(all, 1_000);
        String share = total.text(all);
        String selfText = hasSelf ? "self " + self.text(all) : "";
        if (template != null) {
            String text = template.replace("${share}", share)
                    .replace("${self}", self.count() == 0 ? "0 samples" : self.text(all))
                    .replace("${count}", String.format(Locale.ROOT, "%,d", total.count()))
                    .replace("${callers}", "" + around.callers.size())
                    .replace("${callees}", "" + around.callees.size())
                    .replace("${threads}", "" + around.threads.size())
                    .replace("${change}", change == null ? "" : change.text());
            return new Words(text.trim().replaceAll(" +", " "), "", true);
        }
        if (!verbose) {
            String more = change != null ? " " + change.text() : hasSelf ? " · " + selfText : "";
            return new Words(share + more, "", true);
        }
        String bar = hasSelf ? bar(self, total) + " " + selfText : "";
        String graphic = String.join(" ", marks("◂", 3, 10, around.callers, around.whole), share, change == null ? "" : change.text(), bar,
                marks("▸", 3, 10, around.callees, around.whole), marks("▪", 6, 20, around.threads, around.whole));
        return new Words(graphic.trim().replaceAll(" +", " "), "", false);
    }

    Words call(Amount amount, Amount whole, String target, Change change) {
        String moved = verbose && change != null ? " " + change.text() : "";
        return new Words(amount.text(whole) + moved + " → ", target, true);
    }

    Words line(Amount amount, Amount whole) {
        return new Words(amount.text(whole) + " here", "", true);
    }

    /** One mark for each of the heaviest that is at least one part in {@code divisor}. */
    private static String marks(String mark, int most, int divisor, List<Amount> amounts, Amount whole) {
        return mark.repeat((int) amounts.stream().limit(most).filter(amount -> amount.reaches(whole, divisor)).count());
    }

    private static String bar(Amount self, Amount total) {
        long eighths = (8 * self.weight() + total.weight() - 1) / total.weight();
        return "▁▂▃▄▅▆▇█".substring((int) eighths - 1, (int) eighths);
    }

    /** The hint of a line of code; {@code more} others stand there. */
    String text(Words words, int more, String line) {
        if (longest != null) {
            return text(words, more, longest.intValue());
        }
        String roomy = text(words, more, 32);
        boolean hasRoom = line.replace("\t", "    ").length() + roomy.length() <= 120;
        return hasRoom ? roomy : text(words, more, 24);
    }

    /** A name too long for what is left of {@code most} characters ends in an ellipsis. */
    private String text(Words words, int more, int most) {
        String tail = more > 0 ? " +" + more : "";
        String head = plain(words.head);
        String target = plain(words.target);
        int room = most - head.length() - tail.length();
        String ellipsis = ascii ? "..." : "…";
        if (words.limited && target.length() > Math.max(room, 0)) {
            target = target.substring(0, room - ellipsis.length()).stripTrailing() + ellipsis;
        }
        return head + target + tail;
    }

    private static final Map<String, String> IN_ASCII = Map.of("·", "-", "→", "->", "±", "+-", "−", "-", "…", "...", "↗", "^", "↑", "^", "↘", "v", "↓", "v");

    private String plain(String text) {
        if (!ascii) {
            return text;
        }
        return text.codePoints()
                .mapToObj(Character::toString)
                .map(character -> IN_ASCII.getOrDefault(character, character.charAt(0) > '~' ? "?" : character))
                .collect(Collectors.joining());
    }
}
