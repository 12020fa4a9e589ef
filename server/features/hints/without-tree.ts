// Whether the hints of a document follow from values of methods, calls and lines alone, so that they need not wait for the tree.
import { everyLineOfMethod } from '../../mapping/class-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { inRanges } from '../facts/text-index.ts';
import { needsGraphic } from './hint-format.ts';
import { hintOptions } from './hint-options.ts';

/**
 * Samples of several methods, or of some lines, that stand for one declaration count once each, which only the tree tells. The whole
 * document decides: how well its calls fit says whether those of any declaration are shown.
 */
export function canBeHintedWithoutTree({ mapped, settings }: DocumentView): boolean {
  if (mapped === null || needsGraphic(hintOptions(settings).format)) return false;
  const { classes, values } = mapped.data;
  const hasRun = (method: number) => values.total.count[method] !== 0 || values.total.weight[method] !== 0;
  return mapped.map.declarations.every(({ methods, onlyLines }) => {
    if (onlyLines === undefined) return methods.length === 1 || !methods.some(hasRun);
    return methods.every(method => everyLineOfMethod(classes, method, line => !inRanges(onlyLines, line)));
  });
}

/** Whether the document is shown with whole data, and not with a first look of them. */
export function hasTree({ mapped }: DocumentView): boolean {
  return mapped !== null && mapped.data.profile.tree.length > 0;
}
