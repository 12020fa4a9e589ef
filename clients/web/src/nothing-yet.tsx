// The content in place of a view: while it is asked for, after a failure, and where nothing was recorded yet.
import type { ViewProblem } from 'insitu/views';
import { failure } from './page-state.ts';

/** Grey bars where rows will be; their lengths say nothing. */
const BARS = [100, 92, 64, 41, 27] as const;

export function Waiting() {
  if (failure.value !== null) return <p class="empty">Nothing to show.</p>;
  return (
    <div class="skeleton empty">
      <p>Loading …</p>
      {BARS.map(width => (
        <div key={width} class="bar" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** Commands of the editor that bring data, by their buttons. */
const WAYS = [
  ['Import a recording', 'insitu.importRecording'],
  ['Record a JVM', 'insitu.record'],
] as const;

type Run = (command: string) => void;

/** Set where the page stands in an editor that runs commands for it. */
let run: Run | null = null;

export function runBy(editorRuns: Run): void {
  run = editorRuns;
}

export function NothingYet({ problem }: { readonly problem: ViewProblem }) {
  const { message, remedy } = problem;
  const runs = run;
  return (
    <section class="stranger">
      <h1>insitu</h1>
      <p role="status">{sentence(message)}</p>
      {runs === null ? (
        <p>{sentence(remedy)}</p>
      ) : (
        <p class="ways">
          {WAYS.map(([text, command]) => (
            <button key={command} type="button" onClick={() => runs(command)}>
              {text}
            </button>
          ))}
        </p>
      )}
      <p class="aside">The picture comes by itself as soon as there is something to show.</p>
    </section>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
