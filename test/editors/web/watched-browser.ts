// Chromium for tests of the page: every page is watched for errors, broken policies and requests elsewhere, and none may come.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { patient } from '../../support/patience.ts';

export type WatchedBrowser = {
  /** A fresh browser profile at this address; requests to other origins are wrong. */
  readonly open: (address: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Another page of the same profile. */
  readonly openBeside: (page: Page, address: string) => Promise<Page>;
  /** The errors of all pages so far; empty when all is well. */
  readonly wrong: string[];
  /** Rejects when anything went wrong, so that no test file leaves it out. */
  readonly close: () => Promise<void>;
};

export async function watchedBrowser(engine: Engine, args: readonly string[] = []): Promise<WatchedBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', ...args],
  });
  const wrong: string[] = [];
  const goTo = async (page: Page, address: string): Promise<Page> => {
    watch(page, new URL(address).origin, wrong);
    await page.goto(address);
    return page;
  };
  return {
    wrong,
    open: async (address, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(patient(30_000));
      return goTo(await context.newPage(), address);
    },
    openBeside: async (page, address) => goTo(await page.context().newPage(), address),
    close: async () => {
      await browser.close();
      expect(wrong).toEqual([]);
    },
  };
}

/** Broken policies are told to the console; the browser asks for an icon by itself. */
function watch(page: Page, origin: string, wrong: string[]): void {
  page.on('console', message => {
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) wrong.push(message.text());
  });
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) wrong.push(request.url());
  });
}
