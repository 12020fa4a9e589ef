// Writes the parameters of a JVM descriptor as people do, so that overloads stay apart.
import { type DescriptorType, parseDescriptor } from './descriptor.ts';

/** `(ILjava/lang/String;)V` → `(int, String)`; nothing where the format has no descriptor, or another one. */
export function parametersOf(descriptor: string | null): string {
  const parsed = descriptor === null ? null : parseDescriptor(descriptor);
  return parsed === null ? '' : `(${parsed.parameters.map(typeName).join(', ')})`;
}

/** Null where no descriptor tells. */
export function parameterCount(descriptor: string | null): number | null {
  return descriptor === null ? null : (parseDescriptor(descriptor)?.parameters.length ?? null);
}

function typeName({ name, dimensions }: DescriptorType): string {
  return (name.split(/[.$]/).at(-1) || name) + '[]'.repeat(dimensions);
}
