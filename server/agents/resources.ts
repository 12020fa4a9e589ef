// Resources of `insitu mcp`: the overview of what is recorded, and the hints of a file, as Markdown that a person attaches.

import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

/** The Markdown of a tool; rejects with what is wrong. */
type Ask = (tool: string, given: Record<string, unknown>, signal: AbortSignal) => Promise<string>;

const MARKDOWN = 'text/markdown';

export function registerResources(server: McpServer, ask: Ask): void {
  server.registerResource(
    'overview',
    'insitu://overview',
    {
      title: 'What the program does',
      description: 'Its hottest own code, its waits, its allocation, what changed, and what the data lack.',
      mimeType: MARKDOWN,
    },
    async (uri, { mcpReq: { signal } }) => {
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: await ask('overview', {}, signal) }] };
    },
  );
  server.registerResource(
    'hints',
    new ResourceTemplate('insitu://hints/{+file}', { list: undefined }),
    {
      title: 'Hints of a file',
      description: 'What each line of a Java file costs in production; the path is relative to the root.',
      mimeType: MARKDOWN,
    },
    async (uri, { file }, { mcpReq: { signal } }) => {
      const text = await ask('annotatedFile', { file: decodeURIComponent(String(file)) }, signal);
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
    },
  );
}
