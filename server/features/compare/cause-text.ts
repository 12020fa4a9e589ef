// The cause of a change in words, alike on all faces.
import { printableName } from '../../base/printable.ts';
import type { CauseKind, ContextState, Scaling } from '../../capabilities/compare/door.ts';
import type { ListedMethod } from '../text/listed-method.ts';
import { nameInClass } from '../text/runtime-names.ts';

type NamedCause = {
  readonly cause: CauseKind;
  /** null for everything. */
  readonly context: (ListedMethod & { readonly state: ContextState; readonly above: readonly ListedMethod[] }) | null;
  readonly commit: { readonly hash: string } | null;
  /** The method of changed code that a cause calls whose own code did not change. */
  readonly calls: (ListedMethod & { readonly commit: { readonly hash: string } | null }) | null;
  /** By share, all other parts become smaller where one takes more. */
  readonly scaling: Scaling;
};

/** `Merge.sign, changed in 5ff63f3`; of a call that is on one side alone, with its caller: `Merge.merge → Merge.sign, new in 5ff63f3`. */
export function causeText({ cause, context, commit, calls, scaling }: NamedCause): string {
  const call = causeName({ context });
  const by = byText(commit);
  switch (cause) {
    case 'added':
      return `${call}, new${by}`;
    case 'removed':
      return `${call}, gone${by}`;
    case 'changed':
      return `${call}, changed${by}`;
    case 'unchanged':
      return `${call}, whose code did not change${calledText(calls)}${scaling === 'share' ? '; its share moves with that of other code too' : ''}`;
    case 'unknown':
      return call;
  }
}

function calledText(calls: NamedCause['calls']): string {
  return calls === null ? '' : `, but that of ${nameOf(calls)}, which it calls, did${byText(calls.commit)}`;
}

function byText(commit: NamedCause['commit']): string {
  return commit === null ? '' : ` in ${commit.hash.slice(0, 7)}`;
}

/** The method of the cause, of a call that is on one side alone with its caller. */
export function causeName({ context }: Pick<NamedCause, 'context'>): string {
  if (context === null) return 'everything';
  const caller = context.state === 'kept' ? undefined : context.above.at(-1);
  return caller === undefined ? nameOf(context) : `${nameOf(caller)} → ${nameOf(context)}`;
}

function nameOf({ className, method }: ListedMethod): string {
  return printableName(nameInClass(className, method));
}
