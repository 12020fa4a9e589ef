// Names of methods that some answer has brought, by key: the breadcrumb names methods that the picture no longer draws.
import { signal } from '@preact/signals';
import type { MethodInfo, MethodKey } from 'insitu/views';

const known = new Map<MethodKey, MethodInfo>();
/** Grows with the names, so that components which show one are drawn again. */
const version = signal(0);

export function learnMethods(methods: Iterable<MethodInfo | null>): void {
  const before = known.size;
  for (const method of methods) if (method !== null) known.set(method.key, method);
  if (known.size > before) version.value++;
}

export function knownMethod(key: MethodKey): MethodInfo | null {
  return version.value < 0 ? null : (known.get(key) ?? null);
}
