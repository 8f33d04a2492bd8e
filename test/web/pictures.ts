// Takes the pictures of docs/images: the built page over seeded data, with a clock that stands still.

import path from 'node:path';
import { openPage } from './pages.ts';
import { seedModel } from './seed.ts';
import { seededSource } from './seeded-source.ts';
import { serveBuilt, startBrowser } from './serve.ts';

const CHECKOUT = 'p-shop/taskie:checkout';

const PICTURES = [
  { name: 'overview', scheme: 'light', width: 1180, height: 840 },
  { name: 'overview-dark', scheme: 'dark', width: 1180, height: 840 },
  { name: 'run', run: CHECKOUT, scheme: 'light', width: 1180, height: 1330 },
  { name: 'run-dark', run: CHECKOUT, scheme: 'dark', width: 1180, height: 1330 },
  { name: 'stops', run: CHECKOUT, part: '#timeline', scheme: 'light', width: 1180, height: 860 },
  { name: 'findings', run: CHECKOUT, part: '#docket', scheme: 'light', width: 1180, height: 860 },
  { name: 'phone', run: CHECKOUT, scheme: 'dark', width: 390, height: 844 },
] as const;

export async function takePictures(folder: string): Promise<void> {
  const server = await serveBuilt(seededSource(seedModel()));
  const browser = await startBrowser();
  for (const picture of PICTURES) {
    const { scheme, width, height, name } = picture;
    const run = 'run' in picture ? picture.run : undefined;
    const { page, close } = await openPage(browser, server.address(run), { scheme, width, height });
    // The charts are drawn once they know their width.
    await page.waitForTimeout(300);
    const file = path.join(folder, `${name}.png`);
    if ('part' in picture) await page.locator(picture.part).screenshot({ path: file });
    else await page.screenshot({ path: file });
    await close();
  }
  await browser.close();
  await server.close();
}
