// A page in the browser as a person has it open, with everything noted that must not happen.

import type { Browser, Page } from 'playwright-core';
import { NOW } from './seed.ts';

export type Opened = {
  page: Page;
  /** What the page complained about: errors, refused by its policy, not found. */
  complaints: string[];
  /** Hosts other than the server's own that it asked. */
  elsewhere: string[];
  close(): Promise<void>;
};

export type Look = { scheme?: 'light' | 'dark'; width?: number; height?: number; clock?: boolean };

export async function openPage(
  browser: Browser,
  address: string,
  { scheme = 'light', width = 1180, height = 860, clock = true }: Look = {},
): Promise<Opened> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  const { host } = new URL(address);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url());
    if (protocol !== 'data:' && asked !== host) elsewhere.push(request.url());
  });
  if (clock) await page.clock.setFixedTime(NOW);
  await page.goto(address);
  await page.waitForSelector('.card, .run, .empty:not([aria-busy])');
  return { page, complaints, elsewhere, close: () => context.close() };
}
