// Compares what is kept of an earlier answer with what holds now.

/** Whether all fields have the very same values: objects in fields are not looked into. For types without optional fields. */
export function sameFields<T extends object>(before: T, now: T): boolean {
  for (const name in now) if (before[name] !== now[name]) return false;
  return true;
}
