// Takes the counts of a checkout, for `npm run check`.
import { messageOf } from '../../../server/base/message-of.ts';
import { projectFiles } from '../files.ts';
import type { Project } from './count.ts';
import { LIMITS, type Limited } from './limits.ts';
import type { Taken } from './report.ts';

/** The files that the package ships as its interface, beside the bundles. */
const INTERFACES = ['server/lsp/protocol.ts', 'server/views/view-messages.ts'];

/** @param built files that are made into a bundle each */
export async function takeCounts(
  root: string,
  built: readonly string[],
  which: readonly Limited[] = LIMITS,
): Promise<Taken[]> {
  const project: Project = { root, files: projectFiles(root), entries: new Set([...built, ...INTERFACES]) };
  const taken: Taken[] = [];
  for (const of of which) taken.push({ of, counted: await take(of, project) });
  return taken;
}

async function take(of: Limited, project: Project): Promise<Taken['counted']> {
  try {
    return await of.count(project);
  } catch (error) {
    return { trouble: messageOf(error) };
  }
}
