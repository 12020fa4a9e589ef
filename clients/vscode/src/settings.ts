// Tells the server only the settings that the user has set: defaults of the editor's settings page would hide the settings of insitu.json.

/** The values of one setting in the editor, weakest first; as `WorkspaceConfiguration.inspect` tells it. */
export type Inspected = {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
};

/** Settings of the extension itself, which the server does not know; without `insitu.`. */
export const OWN_SETTINGS: ReadonlySet<string> = new Set(['nodePath', 'marks', 'scale', 'drawing', 'enabled']);

/** Keys of package.json's settings that are the server's, without `insitu.`. */
export function serverKeys(contributed: readonly string[]): string[] {
  return contributed.map(key => key.replace(/^insitu\./, '')).filter(key => !OWN_SETTINGS.has(key));
}

/** Dotted keys as nested objects, as in insitu.json; keys that are not set are absent. */
export function givenSettings(
  keys: readonly string[],
  inspect: (key: string) => Inspected | undefined,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const key of keys) {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(key) ?? {};
    const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
    if (value !== undefined) put(given, key.split('.'), value);
  }
  return given;
}

function put(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const there = target[first];
  const inner: Record<string, unknown> = typeof there === 'object' && there !== null ? { ...there } : {};
  target[first] = inner;
  put(inner, rest, value);
}
