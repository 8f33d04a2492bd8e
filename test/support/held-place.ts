// The path that a person would know of a place in a folder that is held on to by its descriptor.

import fs from 'node:fs';

export function pathOf(place: string): string {
  return place.replace(/^\/proc\/self\/fd\/\d+(?=\/)/, (way) => fs.readlinkSync(way));
}
