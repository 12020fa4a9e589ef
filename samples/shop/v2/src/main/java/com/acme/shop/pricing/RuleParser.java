// Reads rules from text by recursive descent.
package com.acme.shop.pricing;

import com.acme.shop.model.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Grammar: {@code rule = name '(' argument {',' argument} ')'}, where an argument is a word, a number or a rule. */
public final class RuleParser {
    private final String text;
    private int position;

    private RuleParser(String text) {
        this.text = text;
    }

    /** The rule that a text describes. */
    public static PricingRule parse(String text) {
        RuleParser parser = new RuleParser(text);
        PricingRule rule = parser.parseRule();
        if (parser.position != text.length()) {
            throw new IllegalArgumentException("unexpected '" + parser.peek() + "' at " + parser.position);
        }
        return rule;
    }

    private PricingRule parseRule() {
        String name = parseWord();
        expect('(');
        PricingRule rule = switch (name) {
            case "percent" -> new Rules.Percent(parseNumber());
            case "bundle" -> parseBundle();
            case "all" -> new Rules.Sequence(parseList());
            case "best" -> new Rules.Best(parseList());
            case "if" -> parseCondition();
            default -> throw new IllegalArgumentException("unknown rule " + name);
        };
        expect(')');
        return rule;
    }

    private List<PricingRule> parseList() {
        List<PricingRule> rules = new ArrayList<>();
        rules.add(parseRule());
        while (peek() == ',') {
            position++;
            rules.add(parseRule());
        }
        return List.copyOf(rules);
    }

    private PricingRule parseBundle() {
        Category category = Category.valueOf(parseWord().toUpperCase(Locale.ROOT));
        expect(',');
        return new Rules.Bundle(category, parseNumber());
    }

    private PricingRule parseCondition() {
        Condition condition = Condition.named(parseWord());
        expect(',');
        int limit = parseNumber();
        expect(',');
        PricingRule yes = parseRule();
        expect(',');
        return new Rules.Conditional(condition, limit, yes, parseRule());
    }

    private String parseWord() {
        skipSpace();
        int start = position;
        while (Character.isLetter(peek())) {
            position++;
        }
        return text.substring(start, position);
    }

    private int parseNumber() {
        skipSpace();
        int value = 0;
        while (Character.isDigit(peek())) {
            value = value * 10 + peek() - '0';
            position++;
        }
        return value;
    }

    private void expect(char wanted) {
        skipSpace();
        if (peek() != wanted) {
            throw new IllegalArgumentException("wanted '" + wanted + "' at " + position);
        }
        position++;
    }

    private void skipSpace() {
        while (peek() == ' ') {
            position++;
        }
    }

    private char peek() {
        return position < text.length() ? text.charAt(position) : '\0';
    }
}
