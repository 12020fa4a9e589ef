// Writes the parameters of a JVM descriptor as people do, so that overloads stay apart.

const PRIMITIVES: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
};

/** `(ILjava/lang/String;)V` → `(int, String)`; nothing where the format has no descriptor. */
export function parametersOf(descriptor: string | null): string {
  if (descriptor === null) return '';
  const types = descriptor.slice(1, descriptor.indexOf(')')).match(/\[*(?:L[^;]+;|[A-Z])/g) ?? [];
  return `(${types.map(typeName).join(', ')})`;
}

function typeName(type: string): string {
  const dimensions = type.lastIndexOf('[') + 1;
  const element = type.slice(dimensions);
  const name = PRIMITIVES[element] ?? element.slice(1, -1).split(/[/$]/).at(-1) ?? element;
  return name + '[]'.repeat(dimensions);
}
