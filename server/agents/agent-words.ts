// Words for agents: ways out name tools and parameters where people have commands of a terminal and their options.

import { formatProblem, type Problem } from '../base/problem.ts';
import { type Data, isData } from '../features/answers/answer-text.ts';

/** Words of the terminal, and the words that replace them; the first pattern that fits is taken. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/insitu top --platform lists/g, 'the tool "top" with "platform": true lists'],
  [/insitu top --platform/g, 'the tool "top" with "platform": true'],
  [/insitu top --by thread lists threads/g, 'the tool "threads" lists them'],
  [/insitu query, without a path, lists/g, 'the tool "threads" lists'],
  [/insitu query/g, 'the tool "paths"'],
  [/insitu tasks/g, 'the tool "tasks"'],
  [/insitu executions/g, 'the tool "executions"'],
  [
    /insitu import (<recording>|a recording)( --program <\w+>)?( --project \S+)?/g,
    'the user\'s command "insitu import"',
  ],
  [/import a recording with insitu import\b(?! --)/g, 'import a recording with the user\'s command "insitu import"'],
  [/insitu import (adds|names)/g, 'the user\'s command "insitu import" $1'],
  [/, or name another with --store/g, ''],
  [/--project and --program/g, '"program"'],
  [/--metric ([\w.-]+)/g, '"metric": "$1"'],
  [/--(program|version|metric|threads|from|to|focus|path|limit|baseline)\b/g, '"$1"'],
];

/** The command of insitu for which an agent has no tool, as texts name it. */
const IMPORT = /the user's command "insitu import"/g;

/** A text in words for an agent with these tools. */
export type Said = (text: string) => string;

export const inAgentWords: Said = text => WORDS.reduce((said, [words, meant]) => said.replace(words, meant), text);

/** The words for an agent that has the tool `importRecording`. */
export const inImportersWords: Said = text => inAgentWords(text).replace(IMPORT, 'the tool "importRecording"');

/** A problem as an error of a tool tells it. */
export function problemForAgents(problem: Problem, said: Said): string {
  const { message, remedy } = problem;
  return formatProblem({
    ...problem,
    message: said(message),
    ...(remedy !== undefined && { remedy: said(remedy) }),
  });
}

/** Fields that tell a way out; what was recorded is in others. */
const WAYS_OUT: ReadonlySet<string> = new Set(['remedy', 'cautions', 'advice']);

/** An answer whose ways out are for agents, at any depth. */
export function answerForAgents(value: Data, said: Said): Data {
  return Object(mapped(value, '', false, said));
}

function mapped(value: unknown, name: string, isProblem: boolean, said: Said): unknown {
  if (typeof value === 'string') return WAYS_OUT.has(name) || isProblem ? said(value) : value;
  if (Array.isArray(value)) return value.map(each => mapped(each, name, isProblem, said));
  if (!isData(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([field, each]) => [field, mapped(each, field, name === 'problems', said)]));
}
