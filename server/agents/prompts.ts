// Prompts of `insitu mcp`: the questions of docs/agents.md that a person picks, each with the tools that answer it.

import type { McpServer } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { printableName } from '../base/printable.ts';
import { described } from '../model/terms.ts';

/** Characters of an argument that a person gives. */
const LONGEST_ARGUMENT = 500;

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_ARGUMENT));

type Prompt<A extends v.ObjectEntries> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly given: A;
  /** The request to the agent. @param quoted the arguments as texts in quotes */
  ask(quoted: { readonly [K in keyof A]: string }): string;
};

function prompt<A extends v.ObjectEntries>(definition: Prompt<A>): Prompt<A> {
  return definition;
}

const EVIDENCE = 'Give every number with its interval, and what it is a part of.';

const PROMPTS = [
  prompt({
    name: 'makeFaster',
    title: 'What should I make faster?',
    description: 'Finds the line of own code that costs most in production.',
    given: {},
    ask: () =>
      `What should I make faster? Call "top": its first rows are the own code that costs most with the libraries that it calls. Call "heaviestPath" from the hottest method, then "annotatedFile" for the file of its place. Propose a change of the line with the largest share. ${EVIDENCE}`,
  }),
  prompt({
    name: 'whySlow',
    title: 'Why is a method slow?',
    description: 'Takes the time of a method apart: what it calls, who calls it, what hides its number.',
    given: { method: described(text, 'Method, such as Shop.search, or file:line') },
    ask: ({ method }) =>
      `Why is the method ${method} slow? Call "callees" for the parts of its time, "callers" for what causes it, and "why" where it has no number. With "metric": "alloc" or "lock" the same tools answer for memory and waiting, where "loadedData" lists these metrics. ${EVIDENCE}`,
  }),
  prompt({
    name: 'costOf',
    title: 'What does one thing cost in another?',
    description: 'Gives the cost of calls on paths, such as logging in request handling, and who pays for it.',
    given: {
      what: described(text, 'Methods, such as *Logger.*'),
      within: described(text, 'Method or class that they run in, such as RequestHandler.handle'),
    },
    ask: ({ what, within }) =>
      `What does ${what} cost in ${within}? Call "completePath" where you are not sure of a name, then "paths" with a query of the form "A ..B", and again with "refine": "up" for the callers that pay for it. "threads" names the classes of threads; with one of them as "threads" its samples are 100 %. ${EVIDENCE}`,
  }),
  prompt({
    name: 'slowerSince',
    title: 'Did a version become slower?',
    description: 'Tests over the JVMs of two versions what got slower, and names the commits.',
    given: {
      version: described(text, 'Version now: a commit, a tag or a label'),
      baseline: described(text, 'Version before'),
    },
    ask: ({ version, baseline }) =>
      `Did version ${version} become slower than ${baseline}? Call "compare" with "version": ${version} and "baseline": ${baseline}: "reports" has what the test found, each with its calling context and, where git knows it, the commit. Call "moved" for changed shares. Report a regression only where the verdict is "slower"; say where the JVMs are too few for a test.`,
  }),
];

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, given, ask } of PROMPTS as readonly Prompt<v.ObjectEntries>[])
    server.registerPrompt(
      name,
      { title, description, argsSchema: toStandardJsonSchema(v.object(given)) },
      (values: Readonly<Record<string, unknown>>) => {
        const quoted = Object.entries(values).map(([key, value]) => [
          key,
          JSON.stringify(printableName(String(value))),
        ]);
        const said = ask(Object.fromEntries(quoted));
        return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: said } }] };
      },
    );
}
