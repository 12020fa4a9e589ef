// Serves the table of answers to coding agents: tools of the Model Context Protocol over standard input and output.

import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, InferOutput } from 'valibot';
import { AskFailed, type Reach, reachInTurns } from '../analysis/ask.ts';
import { Cancelled } from '../base/pause.ts';
import { formatProblem } from '../base/problem.ts';
import { messagesToClient } from '../base/program-streams.ts';
import type { Answer, AnswerContext } from '../features/answers/answer.ts';
import { ANSWERS } from '../features/answers/answer-table.ts';
import { checked } from '../features/answers/checked.ts';
import { AgentLines } from './agent-lines.ts';
import { withinLimits } from './tool-text.ts';

type AgentOptions = {
  /** Version of this program. */
  readonly version: string;
  /** The context of one answer. @param reach ends with the agent's call. */
  readonly context: (reach: Reach) => AnswerContext;
  readonly onError: (error: Error) => void;
};

const INSTRUCTIONS =
  'insitu knows what this Java code does in production, from recorded samples. Shares are of "origin.samples". ' +
  'A difference between versions is evidence only with the verdict "slower" or "faster". ' +
  'Start with "top", go on with "callers", "callees" or "heaviestPath", and read "annotatedFile" before you change a file.';

/** Resolves when the client has closed the connection and its calls are answered. */
export async function serveAgents(options: AgentOptions): Promise<void> {
  const lines = new AgentLines(process.stdin, messagesToClient());
  const calls = new Calls(() => lines.whenWritten());
  const handle = serveStdio(() => serverOf(options, calls), { transport: lines, onerror: options.onError });
  await lines.ended;
  await handle.close();
}

/** Calls one after another, in the order of their arrival: the data of a thousand at once would not fit into the memory. */
class Calls {
  readonly #whenWritten: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param whenWritten resolves when the agent has read the answers so far. */
  constructor(whenWritten: () => Promise<void>) {
    this.#whenWritten = whenWritten;
  }

  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#last.then(async () => {
      if (signal.aborted) throw new Cancelled();
      await this.#whenWritten();
      return work();
    });
    this.#last = own.catch(() => undefined);
    return own;
  }
}

function serverOf({ version, context }: AgentOptions, calls: Calls): McpServer {
  const server = new McpServer(
    { name: 'insitu', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const answer of ANSWERS) {
    const { name, title, description, parameters, result } = answer;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: standard(parameters),
        outputSchema: toStandardJsonSchema(result),
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) => calls.run(signal, () => call(answer, context(reachInTurns(signal)), given)),
    );
  }
  return server;
}

async function call(answer: Answer, context: AnswerContext, given: Record<string, unknown>) {
  try {
    const { value, text } = withinLimits(answer, await answer.answer(context, given));
    return { content: [{ type: 'text' as const, text }], structuredContent: value };
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
    const text = error.problems.map(formatProblem).join('\n');
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

/** The schema for the protocol's library, with our texts for what does not fit. */
function standard<S extends GenericSchema<unknown, Record<string, unknown>>>(
  schema: S,
): StandardSchemaWithJSON<Record<string, unknown>, InferOutput<S>> {
  return {
    '~standard': {
      version: 1,
      jsonSchema: toStandardJsonSchema(schema)['~standard'].jsonSchema,
      vendor: 'insitu',
      validate: given => {
        const { value, problems } = checked(schema, given);
        if (value !== null) return { value };
        // The library joins several issues by commas, which our texts have too.
        return { issues: [{ message: problems.map(formatProblem).join('; ') }] };
      },
    },
  };
}
