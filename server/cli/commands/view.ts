// `insitu view`: the page of pictures in the browser, from a web server of this command.
import { spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { allowCollections } from '../../base/engine.ts';
import { findProgram, withAbsolutePath } from '../../base/find-program.ts';
import { messageOf } from '../../base/message-of.ts';
import { present } from '../../base/present.ts';
import type { Output } from '../../base/terminal.ts';
import { answerQuestion } from '../../views/answer-question.ts';
import { sshLine } from '../../views/ssh-line.ts';
import type { ViewServer } from '../../views/views-chunk.ts';
import { Loader } from '../../workspace/data/loader.ts';
import { CommandHost } from '../command-host.ts';
import { isFileName } from '../compared-sides.ts';
import { failed, misused } from '../failure.ts';
import { describeData, loadBaseline, loadForCommand } from '../load-chosen.ts';
import { printDim, reportProblems, tell } from '../output.ts';
import { askedBy, type SelectionOptions, withReadingOptions } from '../selection-options.ts';
import { configure, type StoreOptions } from '../store-options.ts';

type Options = StoreOptions &
  SelectionOptions & { readonly baseline?: string; readonly compare?: readonly string[]; readonly open: boolean };

/** The view that a page begins with, as the fragment of its address says it. */
const BLUEPRINT = 'view=blueprint';

export function viewCommand(output: Output) {
  const command = new Command('view')
    .description('show pictures in the browser: ring chart, flame graph, tables, timeline')
    .argument('[recording]', 'a recording or snapshot that is read as it is, in place of the store')
    .option('--baseline <version>', 'version to compare with')
    .option(
      '--compare <sides...>',
      'two versions, recordings or snapshots, the earlier one first: begins with what differs',
    )
    .option('--no-open', 'print the address only; it is good for one page within a minute')
    .addHelpText(
      'after',
      `
A web server on this machine alone runs until Ctrl-C, or half an hour after the last page. Enter prints another address.

Examples:
  insitu view --program orders
  insitu view app.jfr --no-open
  insitu view --compare v1 v2`,
    );
  return withReadingOptions(command).action((recording: string | undefined, options: Options) =>
    view(output, { ...options, ...present({ recording }) }),
  );
}

/** The two sides of `--compare` as the data and their baseline. */
function sidesOf({ compare, ...options }: Options): Options {
  if (compare === undefined) return options;
  const [before, after, ...others] = compare;
  if (before === undefined || after === undefined || others.length > 0)
    throw misused(`--compare has ${compare.length} sides`, 'name the earlier one, then the later one');
  if (options.version !== undefined || options.recording !== undefined || options.baseline !== undefined)
    throw misused('the two sides are named twice', 'leave out --version, --baseline and the recording');
  return { ...options, compare, baseline: before, ...(isFileName(after) ? { recording: after } : { version: after }) };
}

async function view(output: Output, given: Options): Promise<void> {
  const options = sidesOf(given);
  const configuration = configure(output, options);
  allowCollections();
  const loader = new Loader();
  let stamp: string | null = null;
  const load: NonNullable<Parameters<typeof loadForCommand>[3]> = async (wish, selection, onProgress) => {
    const loaded = await loader.load({ wish, selection }, onProgress ?? (() => {})).result;
    stamp = loaded?.stamp ?? null;
    return loaded ?? { value: null, problems: [] };
  };
  try {
    const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings), load);
    const { baseline: version } = options;
    const file = version !== undefined && isFileName(version) ? resolve(version) : null;
    const before = file === null ? version : { files: [file] };
    const compared = before === undefined ? null : await loadBaseline(output, configuration, data, before);
    const baseline =
      compared === null ? null : { compared, name: file === null ? `version ${version}` : basename(file) };
    printDim(output, describeData(data));
    const host = new CommandHost({ configuration, loader, data, stamp, baseline });
    await serve(output, host, { opens: options.open, first: options.compare === undefined ? '' : BLUEPRINT });
  } finally {
    loader.close();
  }
}

/** Whether the first address is opened, and the picture that a page begins with; empty for everything. */
type Opening = { readonly opens: boolean; readonly first: string };

/** Resolves when the user ends it, or no page has asked for long. */
async function serve(output: Output, host: CommandHost, { opens, first }: Opening): Promise<void> {
  const ended = Promise.withResolvers<void>();
  try {
    const server = await start(output, ended.resolve);
    const newAddress = () => {
      const address = server.addressFor((question, signal) => answerQuestion(host, question, signal));
      return first === '' ? address : `${address}&${first}`;
    };
    await show(output, newAddress(), opens);
    process.once('SIGINT', ended.resolve).once('SIGTERM', ended.resolve);
    if (process.stdin.isTTY) process.stdin.on('data', () => output.out(`${newAddress()}\n`));
    await ended.promise;
    server.close();
  } finally {
    host.close();
    if (process.stdin.isTTY) process.stdin.pause();
  }
}

async function start(output: Output, onIdle: () => void): Promise<ViewServer> {
  const { startViewServer } = await import('../../views/views-chunk.ts');
  const log = (line: string) => reportProblems(output, [{ severity: 'warning', message: line }]);
  return startViewServer({ log, onIdle }).catch((error: unknown) => {
    throw failed(messageOf(error));
  });
}

async function show(output: Output, address: string, opens: boolean): Promise<void> {
  output.out(`${address}\n`);
  const line = sshLine(address);
  if (line !== null) {
    tell(output, `over SSH: run ${line} at the other end, then open the address there`);
  } else if (opens && !(await openBrowser(address)))
    tell(output, 'no browser can be opened from here', { remedy: 'open the address' });
}

/** Program and arguments that open an address on each platform. No shell reads the address. */
function openerOf(address: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with false where the machine has no opener; whether a browser comes up cannot be known. */
function openBrowser(address: string): Promise<boolean> {
  const [name, ...args] = openerOf(address);
  const program = findProgram(name, process.env);
  if (program === null) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const opener = spawn(program, args, { detached: true, stdio: 'ignore', env: withAbsolutePath(process.env) });
  opener.once('error', () => resolve(false)).once('spawn', () => resolve(true));
  opener.unref();
  return promise;
}
