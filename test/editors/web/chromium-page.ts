// Opens the built page in Chromium before a fake server, and notes whatever goes wrong: errors, broken policies, requests elsewhere.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Engine } from '../../support/engines/engines.ts';
import { type PageServer, servePage } from './page-server.ts';
import type { FakeViews } from './views-fake.ts';

export type Stage = {
  readonly server: PageServer;
  /** A fresh browser profile before these views; ends when the stage does. */
  readonly open: (views: FakeViews, state?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Errors of all pages so far; empty when all is well. */
  readonly wrong: string[];
  readonly close: () => Promise<void>;
};

export async function pageStage(engine: Engine, first: FakeViews): Promise<Stage> {
  const server = await servePage(first);
  const browser: Browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const wrong: string[] = [];
  return {
    server,
    wrong,
    open: async (views, state = '', options = {}) => {
      server.serve(views);
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      // Broken policies are told to the console; the browser asks for an icon by itself.
      page.on('console', message => {
        if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) wrong.push(message.text());
      });
      page.on('pageerror', error => wrong.push(error.message));
      page.on('request', request => {
        if (!request.url().startsWith(server.origin) && !request.url().startsWith('blob:')) wrong.push(request.url());
      });
      await page.goto(server.address(state));
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
