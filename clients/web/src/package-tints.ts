// Which hue and tone a package has: its own packages lose what they have in common, the next segment chooses the hue, the rest a tone of it.

/** How many groups of packages can have a hue of their own. */
export const MOST_HUES = 8;
export const MOST_TONES = 3;
/** With fewer groups a common part is split further. */
const LEAST_GROUPS = 3;

/** `hue` is MOST_HUES for other own code. */
export type Tint = { readonly hue: number; readonly tone: number };

export type PackageTints = {
  /** Of each group the package that it begins at, in the order of their hues. */
  readonly groups: readonly string[];
  readonly tints: ReadonlyMap<string, Tint>;
};

export const NO_TINTS: PackageTints = { groups: [], tints: new Map() };
export const OTHER_OWN: Tint = { hue: MOST_HUES, tone: 0 };

const isWithin = (name: string, group: string): boolean =>
  group === '' || name === group || name.startsWith(`${group}.`);

function groupOf(name: string, groups: readonly string[]): string | undefined {
  return groups.filter(group => isWithin(name, group)).sort((a, b) => b.length - a.length)[0];
}

function nextBelow(name: string, group: string): string {
  if (name === group) return group;
  const start = group === '' ? 0 : group.length + 1;
  const end = name.indexOf('.', start);
  return end < 0 ? name : name.slice(0, end);
}

/** The largest group is split until there are three, or nothing is left to split. */
function groupsOf(names: readonly string[]): string[] {
  let groups = [''];
  while (groups.length < LEAST_GROUPS) {
    const sizes = new Map<string, Set<string>>();
    for (const name of names) {
      const group = groupOf(name, groups) ?? '';
      sizes.set(group, (sizes.get(group) ?? new Set()).add(name));
    }
    const [largest] = [...sizes].filter(([, inside]) => inside.size > 1).sort(([, a], [, b]) => b.size - a.size);
    if (largest === undefined) break;
    const [group, inside] = largest;
    groups = [...groups.filter(each => each !== group), ...[...inside].map(name => nextBelow(name, group))];
    groups = [...new Set(groups)];
  }
  return names.length === 0 ? [] : groups;
}

/**
 * Each package keeps what it had before; new groups get the next hues. The first eight groups are told apart.
 * @param own most common first.
 */
export function assignTints(own: readonly string[], before: PackageTints): PackageTints {
  if (before.groups.length > 0 && own.every(name => before.tints.has(name))) return before;
  const known = before.groups.length > 0 ? before.groups : groupsOf(own);
  const groups = before.groups.length > 0 ? [...known] : [];
  const tints = new Map(before.tints);
  for (const name of own) {
    if (tints.has(name)) continue;
    const group = groupOf(name, known) ?? name;
    if (!groups.includes(group)) groups.push(group);
    const hue = Math.min(MOST_HUES, groups.indexOf(group));
    const inHue = [...tints.values()].filter(tint => tint.hue === hue).length;
    tints.set(name, { hue, tone: hue === MOST_HUES ? 0 : inHue % MOST_TONES });
  }
  return { groups, tints };
}

/** The names of groups, without their common beginning. */
export function groupNames(groups: readonly string[]): readonly string[] {
  const split = groups.map(group => group.split('.'));
  let common = 0;
  while (split.length > 1 && split.every(parts => parts[common] !== undefined && parts[common] === split[0]?.[common]))
    common++;
  return split.map((parts, at) => parts.slice(common).join('.') || (parts.at(-1) ?? groups[at] ?? ''));
}
