// The numbers of an answer that a command printed as JSON, in the terms that tests compare: parts of wholes, and samples.

type Data = Record<string, unknown>;

/**
 * Shares become `{ part, whole, samples }`, methods their class, name and descriptor, the origin its fields with `whole` and
 * `incomplete` as amounts.
 */
export function numbersIn(out: string) {
  const { origin, ...others } = JSON.parse(out) as Data & { origin: Data };
  const whole = { weight: origin.weight as number, count: origin.samples as number };
  const numbers = {
    ...{ project: origin.project, program: origin.program, instances: origin.instances, metric: origin.metric },
    ...{ version: (origin.versions as string[]).join(', '), span: { from: origin.from, to: origin.to } },
    ...{ unit: origin.unit, whole, incomplete: { count: origin.incomplete as number }, losses: origin.losses },
    ...(plain(others, whole.weight) as Data),
  };
  // Tests read fields of any answer, as they do of any JSON.
  return JSON.parse(JSON.stringify(numbers));
}

function plain(value: unknown, whole: number): unknown {
  if (Array.isArray(value)) return value.map(each => plain(each, whole));
  if (typeof value !== 'object' || value === null) return value;
  const { method, ...others } = value as Data;
  if ('interval' in others && 'weight' in others) {
    const { weight, share, count } = others as { weight: number; share: number; count: number };
    const own = share > 0 ? weight / share : whole;
    return { part: weight, whole: Math.abs(own - whole) < 1e-9 * whole ? whole : own, samples: count };
  }
  const plainly = Object.entries(others).map(([name, each]) => [name, plain(each, whole)] as const);
  if (method === undefined || typeof method === 'string')
    return Object.fromEntries([...plainly, ['method', method]].filter(([, each]) => each !== undefined));
  const { className, name, descriptor } = (method ?? {}) as Data;
  return { className, method: name, descriptor, ...Object.fromEntries(plainly) };
}
