// The values of options: their types, and how numbers, sizes, shares, spans of time, moments and patterns are read; a usage error for anything else.

import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Aspect } from '../analysis/paths/resolve-query.ts';
import { messageOf } from '../base/message-of.ts';
import { MOMENT_FORMS, momentOf } from '../base/moment-text.ts';

/**
 * The options of the command that a function makes, as its flags and parsers give them. The command's action is a block: the type of
 * an expression would depend on these options, and they on it.
 */
export type OptionsOf<Make extends (...given: never) => CommandUnknownOpts> = ReturnType<ReturnType<Make>['opts']>;

/** The options of a command before others are added: not `OptionValues`, in which the typings would find every name that is added. */
export type AnyOptions = Record<never, unknown>;

/** A whole number above 0; a usage error for anything else. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Write a whole number above 0.');
  return value;
}

/** `5%`, `0.5%`: a part of 1; a usage error for anything else. */
export function partOf(text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d{1,9})?)%?$/.exec(text) ?? [];
  if (number === undefined || Number(number) > 100) throw new InvalidArgumentError('Write a share such as 5% or 0.5%.');
  return Number(number) / 100;
}

/** `256m`, a mebibyte or more. */
export function bytesOf(text: string): number {
  const [, number, unit] = /^(\d{1,9})([kmg])$/i.exec(text.trim()) ?? [];
  const shift = { k: 10, m: 20, g: 30 }[unit?.toLowerCase() ?? ''];
  if (number === undefined || shift === undefined) throw new InvalidArgumentError('Write a size such as 256m or 2g.');
  const bytes = Number(number) * 2 ** shift;
  if (bytes < 2 ** 20) throw new InvalidArgumentError('Write 1m or more.');
  return bytes;
}

/** A regular expression; a usage error for anything else. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds; a usage error for anything else. */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(ms|[smhdw])$/.exec(text);
  if (parts === null) throw new InvalidArgumentError('Write a number and one of ms, s, m, h, d, w, such as 90d.');
  return Math.round(Number(parts[1]) * UNITS[parts[2]!]!);
}

/** The same for intervals of repeated work: a second or more. */
export function parseInterval(text: string): number {
  const millis = parseDuration(text);
  if (millis < 1_000) throw new InvalidArgumentError('Write a second or more.');
  return millis;
}

/** The same in the largest unit that it is a whole number of. */
export function durationText(millis: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, each]) => millis % each === 0 && millis >= each) ?? ['ms', 1];
  return `${millis / size}${unit}`;
}

/** For options that may be given several times. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** For options that take a moment. */
export function time(text: string): number {
  const millis = momentOf(text);
  if (millis === null) throw new InvalidArgumentError(`Write a time such as ${MOMENT_FORMS}.`);
  return millis;
}

/** @param written the default, as the user would give it. */
export function optionWithDefault<Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
  written: string,
) {
  return new Option(flags, description).argParser(parse).default(parse(written), written);
}

/** One more named set of methods: `name = pattern | pattern`. */
export function aspectOf(text: string, before: readonly Aspect[] | undefined): readonly Aspect[] {
  const [, name, value] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write 'name = pattern | pattern'.");
  return [...(before ?? []), { name, value: value.trim() }];
}
