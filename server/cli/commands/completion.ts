// `insitu completion`: the script that completes insitu's command line in a shell, written from the commands as their help knows them.
import { Argument, Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import type { Output } from '../../base/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** @param whole the program with all of its commands */
export function completionCommand(output: Output, whole: () => Promise<CommandUnknownOpts>) {
  return new Command('completion')
    .description('print the script that completes this command line in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  insitu completion bash > ~/.local/share/bash-completion/completions/insitu
  insitu completion zsh > "\${fpath[1]}/_insitu"
  insitu completion fish > ~/.config/fish/completions/insitu.fish`,
    )
    .action(async (shell: Shell) => output.out(completionScript(await whole(), shell)));
}

/** The script for one shell; it needs nothing of this program later. */
function completionScript(program: CommandUnknownOpts, shell: Shell): string {
  return { bash, zsh, fish }[shell](program);
}

function bash(program: CommandUnknownOpts): string {
  const reply = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`;
  const names = program.commands.map(command => command.name());
  const values = program.commands.flatMap(command =>
    optionsOf(command).flatMap(option => {
      if (option.argChoices === undefined && !option.required) return [];
      const keys = flagsOf(option).map(flag => `'${command.name()} ${flag}'`);
      return `    ${keys.join('|')}) ${option.argChoices ? reply(option.argChoices) : '_insitu_files'}; return ;;`;
    }),
  );
  const flags = program.commands.map(
    command => `      ${command.name()}) ${reply(optionsOf(command).flatMap(flagsOf))} ;;`,
  );
  const words = program.commands.flatMap(command => {
    const choices = choicesOf(command);
    return choices.length === 0 ? [] : `    ${command.name()}) ${reply(choices)}; return ;;`;
  });
  return `# insitu: completion for bash
_insitu_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$cur"))
}
_insitu() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${reply([...names, '--help', '--version'])}
    return
  fi
  case "$name $previous" in
${values.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    case "$name" in
${flags.join('\n')}
    esac
    return
  fi
  case "$name" in
${words.join('\n')}
  esac
  _insitu_files
}
complete -o filenames -F _insitu insitu
`;
}

function zsh(program: CommandUnknownOpts): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string) => text.replace(/[[\]:\\]/g, '\\$&');
  const names = program.commands.map(command => `    ${quoted(`${command.name()}:${plain(command.description())}`)}`);
  const cases = program.commands.map(command => {
    const options = optionsOf(command).flatMap(option => {
      const values = option.argChoices === undefined ? '_files' : `(${option.argChoices.join(' ')})`;
      const value = option.required ? `:${option.name()}:${values}` : '';
      return flagsOf(option).map(flag => quoted(`*${flag}[${plain(option.description)}]${value}`));
    });
    const choices = choicesOf(command);
    const rest = choices.length > 0 ? `'1:${command.name()}:(${choices.join(' ')})'` : `'*:file:_files'`;
    return `    ${command.name()}) _arguments ${[...options, rest].join(' \\\n      ')} ;;`;
  });
  return `#compdef insitu
_insitu() {
  local -a names
  names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _insitu ]; then _insitu "$@"; else compdef _insitu insitu; fi
`;
}

function fish(program: CommandUnknownOpts): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = program.commands.flatMap(command => {
    const inside = `complete -c insitu -n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)}`;
    const options = optionsOf(command).map(option => {
      const flags = flagsOf(option).map(flag => flag.replace(/^-(?=[^-])/, '-s ').replace(/^--/, '-l '));
      const values = option.argChoices === undefined ? ' -r' : ` -x -a ${quoted(option.argChoices.join(' '))}`;
      return `${inside} ${flags.join(' ')}${option.required ? values : ''} -d ${quoted(option.description)}`;
    });
    const choices = choicesOf(command);
    return [
      `complete -c insitu -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...options,
      ...(choices.length === 0 ? [] : [`${inside} -f -a ${quoted(choices.join(' '))}`]),
    ];
  });
  return `# insitu: completion for fish\n${lines.join('\n')}\n`;
}

function optionsOf(command: CommandUnknownOpts): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter(flag => flag !== undefined);
}

/** Words that its arguments may be. */
function choicesOf(command: CommandUnknownOpts): readonly string[] {
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}
