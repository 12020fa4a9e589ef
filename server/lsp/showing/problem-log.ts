// Writes problems into the client's log, each once: a popup at every reload would teach people to switch insitu off.
import type { RemoteConsole } from 'vscode-languageserver/node';
import { formatProblem, type Problem } from '../../base/problem.ts';

export class ProblemLog {
  readonly #console: Pick<RemoteConsole, 'error' | 'warn' | 'info'>;
  readonly #told = new Set<string>();

  constructor(console: Pick<RemoteConsole, 'error' | 'warn' | 'info'>) {
    this.#console = console;
  }

  tell(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const line = `insitu: ${formatProblem(problem)}`;
      if (this.#told.has(line)) continue;
      this.#told.add(line);
      if (problem.severity === 'error') this.#console.error(line);
      else if (problem.severity === 'warning') this.#console.warn(line);
      else this.#console.info(line);
    }
  }
}
