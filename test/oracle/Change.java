// How a share moved against a baseline: points, angle, colour, arrow, and whether chance explains it.
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Two shares of the same thing, each with how many equally weighted samples its whole has. */
record Change(double before, double samplesBefore, double now, double samplesNow) {
    /** Of the standard normal distribution: 95 % lie within this many deviations on both sides. */
    private static final double WITHIN_95 = 1.959963984540054;

    static Change of(Amount before, Amount wholeBefore, Amount now, Amount wholeNow) {
        return new Change(before.shareOf(wholeBefore), wholeBefore.effective(), now.shareOf(wholeNow), wholeNow.effective());
    }

    /** Whole degrees; negative where the share grew. */
    int angle() {
        if (before == 0) {
            return now == 0 ? 0 : -45;
        }
        if (now == 0) {
            return 45;
        }
        double times = Math.clamp(now / before, 0.5, 2);
        double degrees = times < 1 ? 90 * (1 / times - 1) : -90 * (times - 1);
        double whole = Math.rint(degrees);
        return (int) (Math.abs(degrees - whole) < 1e-9 ? whole : degrees);
    }

    /** Whether the difference of the proportions is more than 95 % of those that chance makes where there is none. */
    boolean significant() {
        if (samplesBefore == 0 || samplesNow == 0) {
            return false;
        }
        double together = (before * samplesBefore + now * samplesNow) / (samplesBefore + samplesNow);
        double deviation = Math.sqrt(together * (1 - together) * (1 / samplesBefore + 1 / samplesNow));
        return deviation > 0 && Math.abs(now - before) > WITHIN_95 * deviation;
    }

    /** {@code ↗ +9}: percentage points behind an arrow, or alone where chance explains the change or it is small. */
    String text() {
        String points = points();
        return points.equals("0") ? "±0" : arrow() + points;
    }

    private String arrow() {
        int size = Math.abs(angle());
        if (!significant() || size < 10) {
            return "";
        }
        return now > before ? size < 60 ? "↗ " : "↑ " : size < 60 ? "↘ " : "↓ ";
    }

    private String points() {
        double points = 100 * (now - before);
        double size = Math.abs(points);
        if (size < 0.005) {
            return "0";
        }
        int digits = size >= 1 ? 0 : size >= 0.1 ? 1 : 2;
        return (points < 0 ? "−" : "+") + new BigDecimal(size).setScale(digits, RoundingMode.HALF_UP).toPlainString();
    }

    String json() {
        int strength = (int) Math.floor(Math.abs(angle()) * 255 / 90.0 + 0.5);
        return "{\"baseline\":" + before + ",\"current\":" + now + ",\"angle\":" + angle() + ",\"colour\":{\"red\":"
                + (angle() < 0 ? strength : 0) + ",\"green\":" + (angle() > 0 ? strength : 0) + ",\"blue\":" + (255 - strength)
                + "},\"significant\":" + significant() + ",\"text\":\"" + text() + "\"}";
    }
}
