// The subject that a text names for `why`: a method that ran or stands in the sources, or a line of a file.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { methodsNamed } from '../../analysis/named-methods.ts';
import { printableName } from '../../base/printable.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { type AnswerContext, NothingThere, refused } from '../answers/answer.ts';
import { type NamedPlace, namedMethod, namedPlace, subjectAtPlace } from '../answers/named-method.ts';
import { stateOf } from '../facts/code-state.ts';
import type { Subject } from '../facts/subject.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';
import { classesCalled, recordedMethod, subjectAtLine, subjectOfMethod, type WhySubject } from './why-subject.ts';

/** The subject, and the file that it was found in; `document` is null where no source was read. */
export type AskedSubject = { readonly subject: WhySubject; readonly document: DocumentView | null };

const MOST_CLASSES = 8;

/**
 * Sources are read only for names that never ran: they tell what was renamed, what is new and what does not exist.
 * Rejects with `AskFailed`.
 * @param everything the data without their focus
 */
export async function askedSubject(
  context: AnswerContext,
  data: LoadedData,
  text: string,
  everything: () => Promise<LoadedData>,
): Promise<AskedSubject> {
  const place = namedPlace(text);
  if (place !== null) {
    const { document } = await context.document(place.file, data);
    const around = subjectAtLine(document, place.line);
    const ran = place.column === null ? null : await ranAt(context, data, { document, place }, everything);
    // The methods behind a call are meant; else the declaration around it, seen or not.
    if (ran !== null && around?.entry !== ran.entry && around?.source !== 'bodiless')
      return { subject: whySubjectOf(data, ran), document };
    if (around !== null) return { subject: around, document };
    const message = `${printableName(text)}: no method, constructor, initialiser or lambda stands there`;
    throw new NothingThere([{ severity: 'error', message, remedy: 'give a line of code' }]);
  }
  const [, written = null, method] = /^(?:([^#(]+)[#.])?([^#.(]+(?:\(.*\).*)?)$/s.exec(text.trim()) ?? [];
  if (method === undefined || (written === null && classesCalled(data, text).length > 0))
    throw refused(`"${text}" names no method`, 'write Class#method or file:line, such as com.acme.Shop#search');
  if (written === null || methodsNamed(data.profile.methods, text).length > 0) return ranAs(data, text);
  const classes = classesCalled(data, written);
  if (classes.length > 1)
    throw refused(`several classes are called ${written}`, `write one of ${classes.slice(0, MOST_CLASSES).join(', ')}`);
  const [ran] = classes;
  const seen = subjectOfMethod(data, ran ?? written, method, null);
  if (seen.entry !== null) return { subject: seen, document: null };
  const className = ran ?? (await context.typeCalled(written)) ?? written;
  const path = await context.fileOf(className);
  if (path === null) return { subject: seen, document: null };
  const { document } = await context.document(path, data);
  return { subject: subjectOfMethod(data, className, method, document), document };
}

/** The only method that ran and has this name. */
function ranAs(data: LoadedData, text: string): AskedSubject {
  const { name } = namedMethod(data, text);
  const at = name.lastIndexOf('.');
  const method = name
    .slice(at + 1)
    .replace(/^<init>$/, 'new')
    .replace(/^<clinit>$/, 'static');
  const parameters = /\(.*$/s.exec(text)?.[0] ?? '';
  const subject = subjectOfMethod(data, name.slice(0, Math.max(at, 0)), `${method}${parameters}`, null);
  return { subject, document: null };
}

/** The methods that ran at a place, also outside of the focus: calls have names of their own there. */
async function ranAt(
  context: AnswerContext,
  data: LoadedData,
  { document, place }: { readonly document: DocumentView; readonly place: NamedPlace },
  everything: () => Promise<LoadedData>,
): Promise<Subject | null> {
  const found = await subjectAtPlace(context, data, document, place);
  if (found !== null || (data.selection.focus ?? []).length === 0) return found;
  const all = await everything();
  return subjectAtPlace(context, all, (await context.document(place.file, all)).document, place);
}

function whySubjectOf({ profile: { methods } }: LoadedData, { entry, label }: Subject): WhySubject {
  const [first] = entry.methods as readonly [number];
  return {
    title: label,
    className: classNameOf(methods, first),
    name: methodNameOf(methods, first),
    entry,
    source: 'declared',
    siblings: [],
    formerNames: [],
  };
}

/**
 * The state of the code, and its recorded name, `com.acme.Shop.find`; the name is empty where the method has it today. Null where no
 * source was read, or the subject is not one declaration.
 */
export function codeOfSubject({ subject, document }: AskedSubject) {
  const row = subject.entry?.declaration ?? -1;
  if (document === null || row < 0) return null;
  const recorded = recordedMethod(document, row);
  const name = `${recorded.className}.${recorded.name}`;
  const isSame = recorded.name === '' || name === subject.title.replace(/\(.*$/s, '');
  return { state: stateOf(document, row), recordedAs: isSame ? '' : name };
}
