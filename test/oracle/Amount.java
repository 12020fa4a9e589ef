// Sums of samples and the shares that they are of others, exact and as people read them.
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** Samples that have something in common. */
record Amount(long count, long weight) {
    static final Amount NONE = new Amount(0, 0);

    static Amount of(FoldedStacks.Sample sample) {
        return new Amount(1, sample.weight());
    }

    Amount plus(Amount other) {
        return new Amount(count + other.count, weight + other.weight);
    }

    double shareOf(Amount whole) {
        return whole.weight == 0 ? 0 : (double) weight / whole.weight;
    }

    /** Whether this is at least one part in {@code divisor} of the whole, by weight. */
    boolean reaches(Amount whole, long divisor) {
        return BigInteger.valueOf(weight).multiply(BigInteger.valueOf(divisor)).compareTo(BigInteger.valueOf(whole.weight)) >= 0;
    }

    /** {@code 62%}, {@code 3.4%}, {@code 0.25%}, or the number of samples where it is less than one in a thousand. */
    String text(Amount whole) {
        if (!reaches(whole, 1_000)) {
            return count == 1 ? "1 sample" : String.format(Locale.ROOT, "%,d samples", count);
        }
        int digits = reaches(whole, 10) ? 0 : reaches(whole, 100) ? 1 : 2;
        BigInteger of = BigInteger.valueOf(whole.weight);
        BigInteger scaled = BigInteger.valueOf(weight).multiply(BigInteger.TEN.pow(2 + digits)).shiftLeft(1).add(of).divide(of.shiftLeft(1));
        return new BigDecimal(scaled, digits).toPlainString() + "%";
    }
}
