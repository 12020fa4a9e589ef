// Recorded traffic of real language servers: what was said, by whom, in its order.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One message; `body` is its JSON as it was written. */
export type Spoken = { readonly by: 'client' | 'server'; readonly body: string };

export function trafficOf(name: string): Spoken[] {
  const text = readFileSync(fileURLToPath(new URL(`./traffic/${name}.jsonl`, import.meta.url)), 'utf8');
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Spoken);
}
