// Where methods stand in the checkout around the current folder, for results of recordings that name no commit.
import { relative, sep } from 'node:path';
import { skeletonOf } from '../../grammar/parse.ts';
import { type ListedMethod, listedText } from '../features/text/listed-method.ts';
import { enclosingNames, plainClassName } from '../mapping/class-names.ts';
import { classBehind } from '../mapping/generated-classes.ts';
import { lineOf } from '../mapping/observed-lines.ts';
import { answerFrames } from '../mapping/place-frames.ts';
import { textOnDisk } from '../mapping/recorded/profiled-text.ts';
import { SourceIndex } from '../mapping/source-index.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';

/** Lines from 1 on; the path counts from the root of the repository. */
type Place = { readonly path: string; readonly line: number; readonly endLine: number };

/** Finds places of these methods: of the method, else of its class; null where the checkout does not have the class. */
export async function placesInCheckout(
  methods: readonly ListedMethod[],
  { repository, root: folder }: Pick<Configuration, 'repository' | 'root'>,
): Promise<(method: ListedMethod) => Place | null> {
  const places = new Map<string, Place>();
  const root = repository ?? folder;
  const sources = new SourceIndex({ roots: methods.length === 0 ? [] : [root] });
  await sources.complete;
  const questions = methods.map(({ className, method, descriptor }) => ({
    ...{ class: className, method },
    ...(descriptor !== null && { descriptor }),
  }));
  for (const [at, { file, startLine, endLine }] of answerFrames(questions, sources).entries()) {
    const method = methods[at]!;
    const found =
      file === undefined ? placeOfClass(method.className, sources) : { file, line: startLine!, endLine: endLine! };
    if (found === null) continue;
    const { line, endLine: last } = found;
    places.set(listedText(method), { path: relative(root, found.file).split(sep).join('/'), line, endLine: last });
  }
  return method => places.get(listedText(method)) ?? null;
}

/** The line on which the class is named, or the innermost type around it that its file declares. */
function placeOfClass(className: string, sources: SourceIndex) {
  const [file] = sources.filesOfClass(className);
  const text = file === undefined ? null : textOnDisk(file.path);
  if (file === undefined || text === null) return null;
  const outline = skeletonOf(text, file.path);
  for (const name of enclosingNames(classBehind(plainClassName(className)))) {
    const type = outline.declarations.find(({ binaryName }) => binaryName === name);
    const line = type === undefined ? 0 : lineOf(outline, type.nameSpan.start);
    if (line > 0) return { file: file.path, line, endLine: line };
  }
  return { file: file.path, line: 1, endLine: 1 };
}
