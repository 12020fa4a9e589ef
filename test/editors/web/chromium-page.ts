// Opens the built page in a watched Chromium before a fake server.
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Engine } from '../../support/engines/engines.ts';
import { type PageServer, servePage } from './page-server.ts';
import type { FakeViews } from './views-fake.ts';
import { watchedBrowser } from './watched-browser.ts';

export type Stage = {
  readonly server: PageServer;
  /** A fresh browser profile before these views; ends when the stage does. */
  readonly open: (views: FakeViews, state?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Errors of all pages so far; empty when all is well. */
  readonly wrong: string[];
  /** Rejects when anything went wrong on a page. */
  readonly close: () => Promise<void>;
};

export async function pageStage(engine: Engine, first: FakeViews): Promise<Stage> {
  const server = await servePage(first);
  const browser = await watchedBrowser(engine);
  return {
    server,
    wrong: browser.wrong,
    open: (views, state = 'view=ring', options = {}) => {
      server.serve(views);
      return browser.open(server.address(state), options);
    },
    close: () => browser.close().finally(() => server.close()),
  };
}
