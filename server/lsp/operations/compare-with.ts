// The operation that chooses what shares are compared with: another version, another time, or a recording on disk.
import { resolve } from 'node:path';
import * as v from 'valibot';
import { pathOfUri } from '../../mapping/file-uris.ts';
import { moment } from '../../model/look-schema.ts';
import type { BaselineChoice } from '../../workspace/data/choice.ts';
import type { CompareMessage, Status } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { choicesOf } from './choices.ts';
import { chooseAndTell, tellStatus } from './chosen.ts';
import { type Context, operation } from './operation.ts';
import { ABOUT, name } from './operation-parameters.ts';

export const compareWith = operation({
  name: 'compareWith',
  parameters: {
    ...ABOUT,
    version: v.nullish(name),
    window: v.nullish(v.object({ from: moment('Begin'), to: moment('End') })),
    file: v.nullish(name),
  },
  flaw: ({ version, window, file }) => {
    const wishes = [version, window, file].filter(each => each !== undefined);
    if (wishes.length > 1) return '"version", "window" and "file" exclude each other';
    return window !== undefined && window.from >= window.to ? '"window": "from" must be below "to"' : null;
  },
  answer: async (context, wish): Promise<Status> => {
    const asked = await ask(context, wish);
    const baseline = await baselineWished(context, asked, wish);
    if (baseline === undefined) return context.session.status.withCommits();
    return chooseAndTell(context, asked, choice => ({ ...choice, baseline }));
  },
  show: tellStatus,
});

/** null: nothing; undefined when a person was asked and chose nothing. */
async function baselineWished(
  context: Context,
  asked: Asked,
  { version, window, file }: CompareMessage,
): Promise<BaselineChoice | null | undefined> {
  if (version !== undefined) return { version };
  if (window !== undefined) return window;
  if (file !== undefined) return { files: [pathOfWish(context, file)] };
  if (!context.asksPerson) return null;
  const { executions } = await choicesOf(context, asked);
  const program = asked.data?.provenance.program;
  const others = executions.filter(row => !row.shown && (program === undefined || row.program === program));
  const versions = [...new Set(others.map(row => row.version))];
  const offers = versions.map(each => ({
    title: each,
    value: { baseline: { version: each } as BaselineChoice | null },
  }));
  const chosen = await context.session.pages.choose('what is to be compared with?', [
    { title: 'Nothing', value: { baseline: null } },
    ...offers,
  ]);
  return chosen === null ? undefined : chosen.baseline;
}

/** A path, relative to the first folder that is open, or a `file:` address. */
export function pathOfWish({ session }: Context, text: string): string {
  const [folder = '.'] = session.workspace.view().folders;
  return pathOfUri(text) ?? resolve(folder, text);
}
