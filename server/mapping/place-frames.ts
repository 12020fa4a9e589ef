// The core of `insitu frames`: JSON lines of frames in, the same with their place in the sources out.

import type { DeclarationKind } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { readRegular } from '../base/regular-file.ts';
import { inheritable, superclassName } from './bridges.ts';
import { type Claim, chooseFile } from './choose-file.ts';
import { plainClassName } from './class-names.ts';
import type { Confidence } from './document-map.ts';
import type { Frame } from './frame.ts';
import { classBehind } from './generated-classes.ts';
import { voteLambdaRules } from './lambda-rule.ts';
import { Surroundings } from './lambdas.ts';
import { lineOf } from './observed-lines.ts';
import { otherLanguage } from './other-languages.ts';
import { indexOutline } from './outline-index.ts';
import { resolveFrame } from './resolve.ts';
import type { IndexedFile } from './source-cache.ts';
import type { SourceIndex } from './source-index.ts';
import { textOfBytes } from './source-text/java-text.ts';
import { FILE_BYTES_MAX } from './source-walk.ts';

/** A frame as it is asked for. */
export type FrameQuestion = {
  readonly class: string;
  readonly method: string;
  readonly descriptor?: string;
  readonly line?: number;
};

/** Where a declaration stands; `kind` is the declaration's. */
type FramePlace = {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: DeclarationKind;
  readonly name: string;
};

type FrameAnswer = FrameQuestion &
  Partial<FramePlace> & {
    readonly confidence: Confidence | 'no source';
    readonly reason: string;
    /** All places that fit when it is ambiguous; else empty. */
    readonly candidates: readonly FramePlace[];
    /** All files that declare the class, where there are several. */
    readonly declaredIn?: readonly string[];
  };

/** Reads one line of input; a text instead of a question says what is wrong with it. */
export function parseQuestion(line: string): FrameQuestion | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'not an object';
  const record: Record<string, unknown> = { ...value };
  const { class: className, method, descriptor, line: number } = record;
  if (typeof className !== 'string') return 'no "class"';
  if (typeof method !== 'string') return 'no "method"';
  if (descriptor !== undefined && descriptor !== null && typeof descriptor !== 'string')
    return '"descriptor" is not a string';
  if (number !== undefined && number !== null && typeof number !== 'number') return '"line" is not a number';
  return {
    class: className,
    method,
    ...(typeof descriptor === 'string' && { descriptor }),
    ...(typeof number === 'number' && { line: number }),
  };
}

/**
 * Answers questions in their order. All are needed first: the frames of a class together show which of several files is
 * meant and how its lambdas are numbered.
 */
export function answerFrames(questions: readonly FrameQuestion[], sources: SourceIndex): FrameAnswer[] {
  const answers: FrameAnswer[] = new Array(questions.length);
  const byClass = Map.groupBy(questions.keys(), at => classBehind(plainClassName(questions[at]!.class)));
  const indexes = new Map<string, Known | null>();
  const lambdaRules = voteLambdaRules(questions.map(each => ({ className: each.class, name: each.method })));
  for (const [className, positions] of byClass) {
    const frames = positions.map(at => toFrame(questions[at]!));
    const read = (name: string) => readClaims(sources.filesOfClass(name), indexes);
    const claims = read(className);
    const claim = claims.length < 2 ? (claims[0] ?? null) : chooseFile(claims, frames);
    const declaredIn = claims.length < 2 ? {} : { declaredIn: claims.map(({ file }) => file.path) };
    const around = new Surroundings(frames, lambdaRules(className));
    for (const [i, at] of positions.entries()) {
      const [question, frame] = [questions[at]!, frames[i]!];
      const own = answer(question, frame, around, claim);
      const missing = own.confidence === 'no source' && claim !== null;
      const found = (missing ? answerInherited(question, frame, claim, read) : null) ?? own;
      answers[at] = { ...found, ...declaredIn };
    }
    if (indexes.size > OUTLINES_MAX) indexes.clear();
  }
  return answers;
}

/** Outlines kept while answering; more would hold the whole workspace in memory. */
const OUTLINES_MAX = 200;

function readClaims(files: readonly IndexedFile[], indexes: Map<string, Known | null>): Claim[] {
  const claims: Claim[] = [];
  for (const file of files) {
    let known = indexes.get(file.path);
    if (known === undefined) {
      known = readIndex(file.path);
      indexes.set(file.path, known);
    }
    if (known !== null) claims.push({ file, ...known });
  }
  return claims;
}

type Known = Pick<Claim, 'index' | 'text'>;

function readIndex(path: string): Known | null {
  try {
    const text = textOfBytes(path, readRegular(path, FILE_BYTES_MAX));
    return { text, index: indexOutline(outlineOf(text, path)) };
  } catch {
    return null;
  }
}

function toFrame(question: FrameQuestion): Frame {
  const { descriptor = null, line = 0 } = question;
  const lines = line > 0 ? [line] : [];
  return { className: plainClassName(question.class), name: question.method, descriptor, lines, flags: 0 };
}

function answer(question: FrameQuestion, frame: Frame, around: Surroundings, claim: Claim | null): FrameAnswer {
  if (claim === null) {
    const language = otherLanguage(frame.className, frame.name);
    const reason = language === null ? 'no file declares the class' : `${language} code`;
    return { ...question, confidence: 'no source', reason, candidates: [] };
  }
  const { declarations, confidence, reason } = resolveFrame(claim.index, frame, around);
  const places = declarations.map(row => placeOf(claim, row));
  const candidates = places.length > 1 ? places : [];
  return { ...question, ...(places[0] ?? {}), confidence, reason, candidates };
}

/** Longer chains of superclasses are not followed. */
const MOST_SUPERCLASSES = 16;

/** The method of a superclass in another file for which javac wrote one into the class of the frame; null where there is none. */
function answerInherited(
  question: FrameQuestion,
  { className, name }: Frame,
  claim: Claim,
  read: (className: string) => readonly Claim[],
): FrameAnswer | null {
  let [below, at] = [className, claim];
  for (let hops = 0; hops < MOST_SUPERCLASSES; hops++) {
    const type = at.index.typeByName.get(below);
    const above = type === undefined ? null : superclassName(at.index, type.declaration);
    const next = above === null ? undefined : read(above)[0];
    if (above === null || next === undefined) return null;
    [below, at] = [above, next];
    const inherited = at.index.typeByName.get(below);
    const rows = inherited === undefined ? [] : inheritable(at.index, inherited, name);
    if (rows.length === 0) continue;
    const places = rows.map(row => placeOf(next, row));
    const [confidence, candidates] =
      places.length > 1 ? (['ambiguous', places] as const) : (['generated', []] as const);
    return { ...question, ...places[0], confidence, reason: `bridge in class ${className} to this method`, candidates };
  }
  return null;
}

function placeOf({ file, index: { outline } }: Claim, row: number): FramePlace {
  const { kind, name, span, nameSpan } = outline.declarations[row]!;
  const startLine = lineOf(outline, nameSpan.start);
  return { file: file.path, startLine, endLine: Math.max(startLine, lineOf(outline, span.end - 1)), kind, name };
}
