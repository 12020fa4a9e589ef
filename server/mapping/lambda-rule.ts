// Finds out by which rule the lambdas of a program were numbered, from the names alone, package by package.
import { packageOf } from './class-names.ts';

/** `perClass`: one counter a class, inner lambdas first (javac up to 22); `perOwner`: one counter a method name, outer first. */
export type LambdaRule = 'perClass' | 'perOwner';

/**
 * The usual rule around each class, null where nothing tells. Classes vote: two owners with one number (`lambda$a$0`, `lambda$b$0`) cannot come from one counter a class, several owners
 * whose numbers all differ hardly from one a method name. Libraries are compiled apart from the program, so votes count in
 * their own package's first two names first, then everywhere.
 */
export function voteLambdaRules(
  methods: Iterable<{ readonly className: string; readonly name: string }>,
): (className: string) => LambdaRule | null {
  const classes = new Map<string, Map<number, string>>();
  const clashing = new Set<string>();
  for (const { className, name } of methods) {
    const match = name.startsWith('lambda$') ? /^lambda\$(.+)\$(\d+)$/.exec(name) : null;
    // Serializable lambdas have numbers of their own behind a hash.
    if (match === null || /\$[0-9a-f]{6,8}$/.test(match[1]!)) continue;
    const owners = classes.get(className) ?? new Map<number, string>();
    classes.set(className, owners);
    const number = Number(match[2]);
    const owner = owners.get(number);
    if (owner !== undefined && owner !== match[1]) clashing.add(className);
    owners.set(number, match[1]!);
  }
  const votes = new Map<string, number>();
  for (const [className, owners] of classes) {
    const vote = clashing.has(className) ? 1 : new Set(owners.values()).size > 1 ? -1 : 0;
    for (const group of ['', groupOf(className)]) votes.set(group, (votes.get(group) ?? 0) + vote);
  }
  return className => ruleOf(votes.get(groupOf(className))) ?? ruleOf(votes.get(''));
}

function groupOf(className: string): string {
  return packageOf(className).split('.', 2).join('.');
}

function ruleOf(votes: number | undefined): LambdaRule | null {
  if (votes === undefined || votes === 0) return null;
  return votes > 0 ? 'perOwner' : 'perClass';
}
