// How a share moved against a baseline: points, angle and colour. Nothing is tested.
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Two shares of the same thing. */
record Change(double before, double now) {
    static Change of(Amount before, Amount wholeBefore, Amount now, Amount wholeNow) {
        return new Change(before.shareOf(wholeBefore), now.shareOf(wholeNow));
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

    /** {@code +9}: percentage points, without an arrow: nothing is tested; {@code new} or {@code gone} where one side has nothing. */
    String text() {
        if ((before == 0) != (now == 0)) {
            return before == 0 ? "new" : "gone";
        }
        String points = points();
        return points.equals("0") ? "±0" : points;
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
                + "},\"verdict\":\"notTested\",\"text\":\"" + text() + "\"}";
    }
}
