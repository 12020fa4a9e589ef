// The commands that clients can run on the server; each has its row in docs/lsp-extensions.md.
import { type Status, statusOf } from '../features/status.ts';
import type { Session } from './session.ts';

/** Command id → what it does. All of them can be run without arguments. */
export const COMMANDS = {
  /** Answers the status and, unless the first argument is `{"quiet": true}`, shows it. */
  'insitu.status': (session: Session, argument: unknown): Status => {
    const status = statusOf(session.workspace.view());
    if (!isQuiet(argument)) session.tell(`insitu: ${status.text}`);
    return status;
  },
  /** Reads insitu.json and all snapshots again; answers at once, progress tells when it is done. */
  'insitu.refresh': (session: Session): null => {
    session.reloadAll();
    return null;
  },
} as const satisfies Record<string, (session: Session, argument: unknown) => unknown>;

/** An unknown command is reported and answers null. */
export function runCommand(session: Session, command: string, given: readonly unknown[]): Status | null {
  if (command === 'insitu.status') return COMMANDS[command](session, given[0]);
  if (command === 'insitu.refresh') return COMMANDS[command](session);
  session.log.error(`unknown command ${command}; known are ${Object.keys(COMMANDS).join(', ')}`);
  return null;
}

function isQuiet(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'quiet' in argument && argument.quiet === true;
}
