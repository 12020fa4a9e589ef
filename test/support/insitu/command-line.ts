// Runs insitu's command line inside the test process and collects what it writes.
import { outputTo } from '../../../server/base/terminal.ts';
import { runCommandLine } from '../../../server/cli/program.ts';

export type CommandRun = { readonly status: number; readonly out: string; readonly err: string };

/** One command as a script would run it: no terminal, no colours. */
export function insitu(...args: readonly string[]): Promise<CommandRun> {
  return run(args, {});
}

/** The messages without the line on events with a stack that feed no metric, of which each recording of the sample has two types. */
export function withoutUnread(err: string): string {
  return err.replace(/^info: \S+: \d+ events with a stack feed no metric: com\.acme\.shop\.OrderPlaced .*\n/gm, '');
}

/** The same in a terminal of so many characters a line. */
export function insituIn(columns: number, ...args: readonly string[]): Promise<CommandRun> {
  return run(args, { columns, isTerminal: true });
}

async function run(args: readonly string[], terminal: { columns?: number; isTerminal?: boolean }): Promise<CommandRun> {
  const out: string[] = [];
  const err: string[] = [];
  const output = outputTo({
    out: text => void out.push(text),
    err: text => void err.push(text),
    isTerminal: false,
    colour: false,
    ...terminal,
  });
  const status = await runCommandLine(args, output);
  return { status, out: out.join(''), err: err.join('') };
}
