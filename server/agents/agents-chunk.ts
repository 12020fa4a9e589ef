// Serves the table of answers to coding agents: tools of the Model Context Protocol over standard input and output.

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type AskFailed, type Reach, reachInTurns } from '../analysis/ask.ts';
import { Cancelled } from '../base/pause.ts';
import { messagesToClient } from '../base/program-streams.ts';
import type { AnswerContext } from '../features/answers/answer.ts';
import { ANSWERS } from '../features/answers/answer-table.ts';
import { escapeInline } from '../features/text/markdown.ts';
import { AgentLines } from './agent-lines.ts';
import { inAgentWords, inImportersWords, problemForAgents, type Said } from './agent-words.ts';
import { importTool } from './import-tool.ts';
import { registerPrompts } from './prompts.ts';
import { recordTool } from './record-tool.ts';
import { registerResources } from './resources.ts';
import type { TargetHome } from './target.ts';
import type { Tool } from './tool.ts';
import { ToolSchemas } from './tool-schema.ts';
import { withinLimits } from './tool-text.ts';

type AgentOptions = {
  /** Version of this program. */
  readonly version: string;
  /** The context of one answer. @param reach ends with the agent's call. */
  readonly context: (reach: Reach) => AnswerContext;
  readonly onError: (error: Error) => void;
  /** The needs of tools that add data. */
  readonly target: TargetHome;
  /** The actions that the user allows beyond reading. */
  readonly allowed: { readonly imports: boolean; readonly records: boolean };
};

const INSTRUCTIONS =
  'insitu knows what this Java code does in production, from recorded samples. Shares are of "origin.samples". ' +
  'A difference between versions is evidence only with the verdict "slower" or "faster". ' +
  'A parameter means the same in all tools, and the first tool that has it describes it: "loadedData" what is looked at, "top" lists, "callers" methods. ' +
  'Start with "overview" or "top", go on with "callers", "callees" or "heaviestPath", and read "annotatedFile" before you change a file.';

const IMPORTING =
  'To verify an edit, record the program before and after it, give the files to "importRecording" with a label each, and ask "compare".';

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

function toolsOf({ context, target, allowed }: AgentOptions): readonly Tool[] {
  const answers = ANSWERS.map((answer): Tool => {
    const ask: Tool['answer'] = (given, signal) => answer.answer(context(reachInTurns(signal)), given);
    return { ...answer, writes: false, answer: ask };
  });
  return [
    ...answers,
    ...(allowed.imports ? [importTool(target)] : []),
    ...(allowed.records ? [recordTool(target)] : []),
  ];
}

function serverOf(options: AgentOptions, calls: Calls): McpServer {
  const { version, allowed } = options;
  const server = new McpServer(
    { name: 'insitu', version },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: allowed.imports ? `${INSTRUCTIONS} ${IMPORTING}` : INSTRUCTIONS,
    },
  );
  const schemas = new ToolSchemas();
  const said = allowed.imports ? inImportersWords : inAgentWords;
  const tools = toolsOf(options);
  for (const tool of tools) {
    const { name, title, description, parameters, result, writes } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: schemas.next(parameters),
        outputSchema: toStandardJsonSchema(result),
        annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: false },
      },
      (given, { mcpReq: { signal } }) => {
        const answer = () => call(tool, said, given, signal);
        return tool.runsBeside === true ? answer() : calls.run(signal, answer);
      },
    );
  }
  registerPrompts(server);
  registerResources(server, async (name, given, signal) => {
    const tool = tools.find(each => each.name === name)!;
    const { content, isError } = await calls.run(signal, () => call(tool, said, given, signal));
    const text = content.map(each => each.text).join('\n');
    if (isError === true) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    return text;
  });
  return server;
}

async function call(tool: Tool, said: Said, given: Record<string, unknown>, signal: AbortSignal) {
  try {
    const { value, text } = withinLimits(tool, await tool.answer(given, signal), given, said);
    return { content: [{ type: 'text' as const, text }], structuredContent: value };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const text = error.problems.map(problem => escapeInline(problemForAgents(problem, said))).join('\n');
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

/** The context is of another bundle, whose class `AskFailed` is not the one of this file. */
function isRefusal(error: unknown): error is Pick<AskFailed, 'problems'> {
  return error instanceof Error && 'problems' in error && Array.isArray(error.problems);
}
