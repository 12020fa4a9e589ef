// Writes problems into the client's log, each once: a popup at every reload would teach people to switch insitu off.
import type { RemoteConsole } from 'vscode-languageserver/node';
import { formatProblem, type Problem } from '../../base/problem.ts';

export class ProblemLog {
  readonly #log: Pick<RemoteConsole, 'error' | 'warn' | 'info'>;
  readonly #told = new Set<string>();

  constructor(log: Pick<RemoteConsole, 'error' | 'warn' | 'info'>) {
    this.#log = log;
  }

  tell(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const line = `insitu: ${formatProblem(problem)}`;
      if (this.#told.has(line)) continue;
      this.#told.add(line);
      if (problem.severity === 'error') this.#log.error(line);
      else if (problem.severity === 'warning') this.#log.warn(line);
      else this.#log.info(line);
    }
  }
}
