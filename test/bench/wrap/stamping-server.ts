// A Java server for the benchmark: answers every request at once, and says when it came and when the answer left, by the machine's clock.
import { FrameSplitter, messageFrame } from '../../../server/lsp/wire/split-messages.ts';

export const STAMPED = 'textDocument/completion';

/** Nanoseconds of the clock that all processes of a machine share, as text. */
export type Stamps = { readonly came: string; readonly left: string };

let came = '';

const splitter = new FrameSplitter({
  onFrame: ({ bytes, bodyStart }) => {
    const { id, method } = JSON.parse(bytes.toString('utf8', bodyStart)) as { id?: number | string; method?: string };
    if (method === 'exit') process.exit(0);
    if (id === undefined || method === undefined) return;
    const stamps = (): Stamps => ({ came, left: String(process.hrtime.bigint()) });
    const result = method === 'initialize' ? { capabilities: {} } : method === STAMPED ? stamps() : null;
    process.stdout.write(messageFrame({ id, result }).bytes);
  },
  onBroken: reason => {
    throw new Error(reason);
  },
});

if (process.argv[1] === import.meta.filename) {
  process.stdin.on('data', (chunk: Buffer) => {
    came = String(process.hrtime.bigint());
    splitter.push(chunk);
  });
  process.stdin.on('end', () => process.exit(0));
}
