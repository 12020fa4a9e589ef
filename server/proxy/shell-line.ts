// A command for Windows' shell, which alone runs .cmd and .bat files, so that each word comes out as it went in.

/** Characters that mean something to the shell. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/** Whether a program is run by the shell. */
export function needsShell(program: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && !/\.exe$/i.test(program);
}

/** The word that cannot be handed on through the shell; null where each can. What ends quotes would let the rest of it be run. */
export function unfitWord(command: readonly string[], platform: NodeJS.Platform = process.platform): string | null {
  const [program = '', ...words] = command;
  if (!needsShell(program, platform)) return null;
  return [program, ...words].find(word => /["\r\n]/.test(word)) ?? null;
}

/** The command line behind `cmd /c`. Each word is quoted for the program, and nothing of it means anything to the shell. */
export function shellLine([program = '', ...words]: readonly string[]): string {
  const plain = (text: string): string => text.replace(SPECIAL, '^$&');
  // Backslashes before the quote at the end would keep it.
  const quoted = (word: string): string => `"${word.replace(/\\+$/, '$&$&')}"`;
  return [plain(program.replaceAll('/', '\\')), ...words.map(word => plain(quoted(word)))].join(' ');
}
