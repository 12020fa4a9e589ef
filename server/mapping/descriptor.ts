// Reads JVM method descriptors.

/** A type in a descriptor: `int`, `java.util.Map$Entry`, with array dimensions apart. */
export type DescriptorType = { readonly name: string; readonly dimensions: number };

type Descriptor = { readonly parameters: readonly DescriptorType[]; readonly result: DescriptorType };

const PRIMITIVES: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
  V: 'void',
};

const NO_RESULT: DescriptorType = { name: '', dimensions: 0 };

/** Parses `(ILjava/lang/String;)V`; null when the text is not a descriptor. A missing result type is accepted and is ``. */
export function parseDescriptor(text: string): Descriptor | null {
  if (text.charCodeAt(0) !== 40) return null;
  const types: DescriptorType[] = [];
  let parameterCount = -1;
  let at = 1;
  while (at < text.length) {
    if (text[at] === ')') {
      if (parameterCount >= 0) return null;
      parameterCount = types.length;
      at++;
      continue;
    }
    let dimensions = 0;
    while (text[at] === '[') {
      dimensions++;
      at++;
    }
    if (text[at] === 'L') {
      const end = text.indexOf(';', at);
      if (end < 0) return null;
      types.push({ name: text.slice(at + 1, end).replaceAll('/', '.'), dimensions });
      at = end + 1;
    } else {
      const name = PRIMITIVES[text[at] ?? ''];
      if (name === undefined) return null;
      types.push({ name, dimensions });
      at++;
    }
  }
  if (parameterCount < 0 || types.length > parameterCount + 1) return null;
  return { parameters: types.slice(0, parameterCount), result: types[parameterCount] ?? NO_RESULT };
}

/** Whether a type's name is one of Java's primitives or `void`. */
export function isPrimitive(name: string): boolean {
  return PRIMITIVE_NAMES.has(name);
}

const PRIMITIVE_NAMES = new Set(Object.values(PRIMITIVES));
