// `insitu doctor`: which JVMs there are, what a recorder would send of each and why, and what is in its way.

import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { messageOf } from '../../base/message-of.ts';
import { momentText } from '../../base/moment-text.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { diagnoseJvm, type JvmReport } from '../../record/diagnosis.ts';
import { tierSettings } from '../../record/flight-settings.ts';
import { absenceOf, listJvms } from '../../record/jvms.ts';
import type { Store } from '../../store/store.ts';
import { CommandFailure } from '../failure.ts';
import { printJson, reportProblems } from '../output.ts';
import { executionSources, type JvmOptions, spoolFolder, wantedJvms, withJvmOptions } from '../record-options.ts';
import { configure, openConfiguredStore } from '../store-options.ts';

type DoctorOptions = JvmOptions & { readonly json?: true };

const HELP = `
Starts nothing and changes nothing in a JVM. Without --pid, --main or --all it looks at every JVM.

Example:
  insitu doctor --main com.acme.Shop`;

export function doctorCommand(output: Output) {
  const command = new Command('doctor').description('tell what insitu record would do here, and what is in its way');
  return withJvmOptions(command)
    .option('--json', 'print it as JSON')
    .addHelpText('after', HELP)
    .action((options: DoctorOptions) => doctor(output, options));
}

async function doctor(output: Output, options: DoctorOptions): Promise<void> {
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const wants = wantedJvms(options, true);
  const isNarrow = options.pid !== undefined || options.main !== undefined;
  const jvms = listJvms().filter(jvm => !isNarrow || wants(jvm));
  const execution = executionSources(options);
  const reports: JvmReport[] = [];
  for (const jvm of jvms) reports.push(await diagnoseJvm(jvm, execution, tierSettings(options.settings)));
  const spool = spoolFolder(options);
  const unseen = (options.pid ?? []).filter(pid => jvms.every(jvm => jvm.pid !== pid)).map(unseenProblem);
  const problems = [...platformProblems(), ...unseen, ...spoolProblems(spool), ...(await storeProblems(store))];
  if (options.json === true) {
    printJson(output, { store: store.location, spool, problems, jvms: reports });
  } else {
    output.out(`store  ${printableName(store.location)}\nspool  ${printableName(spool)}\n`);
    reportProblems(output, problems);
    if (reports.length === 0) output.out('no JVM of this user is running here\n');
    for (const report of reports) show(output, report);
  }
  const isBad = [...problems, ...reports.flatMap(report => report.problems)].some(
    ({ severity }) => severity === 'error',
  );
  if (isBad) throw new CommandFailure(1, []);
}

function show(
  output: Output,
  { pid, name, version, sinceMillis, recording, execution, reasons, problems }: JvmReport,
): void {
  const jvm = styled('bold', `JVM ${pid}  ${printableName(name)}`);
  output.out('\n', jvm, `  ${printableName(version)}, since ${momentText(sinceMillis)}\n`);
  output.out(`  ${printableLine(recording)}\n`);
  for (const field of ['project', 'program', 'version', 'instance'] as const) {
    const value = styled('bold', printableName(execution[field]));
    output.out(`  ${field.padEnd(8)} `, value, '  ', styled('dim', printableName(reasons[field])), '\n');
  }
  reportProblems(output, problems);
}

function unseenProblem(pid: number): Problem {
  const message = absenceOf(pid) ?? 'it is no JVM, or has only just begun';
  return {
    severity: 'error',
    message,
    file: `process ${pid}`,
    remedy: 'see the JVMs with insitu doctor, as their user or as root',
  };
}

function platformProblems(): Problem[] {
  if (process.platform === 'linux') return [];
  const message = `JVMs are found and followed on Linux only, this is ${process.platform}`;
  return [{ severity: 'error', message, remedy: 'record with jcmd and use insitu import, or insitu record --watch' }];
}

function spoolProblems(spool: string): Problem[] {
  try {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    accessSync(spool, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(spool);
    const free = bavail * bsize;
    if (free > 512 * 2 ** 20) return [];
    const message = `only ${Math.floor(free / 2 ** 20)} MiB are free for the spool`;
    return [{ severity: 'warning', message, file: spool, remedy: 'make room, or name another folder with --spool' }];
  } catch (error) {
    const message = `the spool cannot be written to: ${messageOf(error)}`;
    return [{ severity: 'error', message, file: spool, remedy: 'name another folder with --spool' }];
  }
}

/** A recorder writes and need not read; a folder comes into being with the first snapshot. */
async function storeProblems(store: Store): Promise<Problem[]> {
  const written = await store.tryPut();
  if (written.some(({ severity }) => severity === 'error')) return [...written];
  const { problems } = await store.list({});
  const read = problems.filter(({ severity, message }) => severity !== 'info' && message !== 'there is no store here');
  const remedy = 'nothing has to be done for a recorder; to look at the data, a user must be able to list and read';
  return [...written, ...read.map(problem => ({ ...problem, severity: 'info', remedy }) as const)];
}
