// Values beside objects that soon die, which die with them.

/**
 * A WeakMap for keys that come and go with every keystroke. What a WeakMap holds is let go of by full collections alone, and takes
 * time in all small ones until then; this is a property of the key, which nothing lists and no copy has.
 */
export class Beside<K extends object, V> {
  readonly #name = Symbol('beside');

  get(key: K): V | undefined {
    return Object.getOwnPropertyDescriptor(key, this.#name)?.value as V | undefined;
  }

  has(key: K): boolean {
    return Object.hasOwn(key, this.#name);
  }

  /** The key must not be frozen. */
  set(key: K, value: V): void {
    Object.defineProperty(key, this.#name, { value, configurable: true });
  }
}
