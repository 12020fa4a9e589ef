// A coding agent's side of `insitu mcp`: the official client over stdio, beside the program that is shipped.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { insituProgram } from './program.ts';

/** The answer of a tool; `data` is empty for an error. */
export type ToolAnswer = {
  readonly data: ReturnType<typeof Object>;
  readonly text: string;
  readonly isError: boolean;
};

export type Agent = {
  readonly client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** @param options of `insitu mcp` */
export async function startAgent(...options: readonly string[]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [insituProgram, 'mcp', ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: process.cwd() }));
  return {
    client,
    call: async (name, given = {}) => {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: given });
      const [first] = content as { text: string }[];
      return { data: Object(structuredContent), text: first?.text ?? '', isError: isError === true };
    },
    close: () => client.close(),
  };
}
