// The manual page of all commands, written from their help.
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** `insitu.1` in the macros of man(7). */
export function manualPage(program: CommandUnknownOpts, version: string): string {
  return [
    `.TH INSITU 1 "" "insitu ${version}" "User commands"`,
    '.SH NAME',
    `insitu \\- ${roff(program.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B insitu',
    '.I command',
    '[\\fIoption\\fR ...] [\\fIargument\\fR ...]',
    '.SH DESCRIPTION',
    'Results go to standard output, everything else to standard error. A command has the exit status 0, or 1 when it failed, or 2 when it was called wrongly.',
    '.SH COMMANDS',
    ...program.commands.flatMap(commandText),
    '.SH ENVIRONMENT',
    ...item('INSITU_STORE', 'location of the store where none is named'),
    ...item('NO_COLOR', 'no colours, on any terminal'),
    '.SH FILES',
    ...item('insitu.json', 'settings, in the root of the workspace'),
    '',
  ].join('\n');
}

function commandText(command: CommandUnknownOpts): string[] {
  const help = command.createHelp();
  const described = [
    ...help.visibleArguments(command).map(each => item(help.argumentTerm(each), help.argumentDescription(each))),
    ...help.visibleOptions(command).map(each => item(help.optionTerm(each), help.optionDescription(each))),
  ];
  return [
    `.SS ${roff(help.commandUsage(command))}`,
    `${roff(command.description())}.`,
    ...described.flat(),
    '.PP',
    '.nf',
    ...textBehind(command).split('\n').map(roff),
    '.fi',
  ];
}

/** Examples, and other text behind the list of options. */
function textBehind(command: CommandUnknownOpts): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: text => void parts.push(text) }).outputHelp();
  return parts.join('').replace(command.helpInformation(), '').trim();
}

function item(term: string, description: string): string[] {
  return ['.TP', `\\fB${roff(term)}\\fR`, roff(description)];
}

/** A line of text is no request, however it begins; other characters than ASCII have an escape. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\p{ASCII}]/gu, each => `\\[u${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^(?=[.'])/, '\\&');
}
