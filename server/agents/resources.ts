// Resources of `insitu mcp`: the overview of what is recorded, and the hints of a file, as Markdown that a person attaches.

import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

/** The Markdown of a tool; rejects with what is wrong. */
type Ask = (tool: string, given: Record<string, unknown>, signal: AbortSignal) => Promise<string>;

const MARKDOWN = 'text/markdown';
/** Methods that the overview names. */
const HOTTEST = 10;

export function registerResources(server: McpServer, ask: Ask): void {
  server.registerResource(
    'overview',
    'insitu://overview',
    {
      title: 'What is recorded',
      description: 'The data that are looked at, their metrics, and the hottest methods.',
      mimeType: MARKDOWN,
    },
    async (uri, { mcpReq: { signal } }) => {
      const data = await ask('loadedData', {}, signal);
      const hottest = await ask('top', { limit: HOTTEST }, signal);
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: `${data}\n\n${hottest}` }] };
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
