import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from 'canvas';

/** Tolerance per colour channel (of 255), above the differences of antialiasing. */
const SAME_COLOUR = 64;
/** Search radius (pixels), since antialiasing may shift an edge. */
const REACH = 1;
/** Permitted number of different pixels; a missing label has about a hundred. */
const ALLOWED = 24;

/** If set, images are replaced instead of compared; review each before the commit. */
export const UPDATE_VARIABLE = 'UPDATE_GOLDEN';

const FOLDER = fileURLToPath(new URL('../../../test/fixtures/charts/', import.meta.url));

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, rows from the top. */
  readonly bytes: Uint8Array;
}

export async function decodePixels(png: Uint8Array): Promise<Pixels> {
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return { width: image.width, height: image.height, bytes: Uint8Array.from(canvas.data()) };
}

/** Asserts that the image matches the committed one. */
export async function assertGolden(name: string, png: Uint8Array): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  if (process.env[UPDATE_VARIABLE] !== undefined) return writeFileSync(path, png);
  const actual = join(tmpdir(), 'hindsight-golden', `${name}.png`);
  const fail = (fault: string): never => {
    mkdirSync(join(actual, '..'), { recursive: true });
    writeFileSync(actual, png);
    return assert.fail(
      `${name}: ${fault}. Actual image: ${actual}, expected: ${path}; ${UPDATE_VARIABLE}=1 replaces the expected one.`,
    );
  };
  if (!existsSync(path)) return fail('the golden image does not exist');
  const fault = describeDifference(await decodePixels(png), await decodePixels(readFileSync(path)));
  if (fault !== undefined) fail(fault);
}

/** Description of the visible difference; undefined if there is none. */
export function describeDifference(one: Pixels, other: Pixels): string | undefined {
  if (one.width !== other.width || one.height !== other.height)
    return `it is ${one.width} × ${one.height} pixels, not ${other.width} × ${other.height}`;
  const places = [...unlike(one, other), ...unlike(other, one)];
  if (places.length <= ALLOWED) return undefined;
  const [xs, ys] = [places.map((at) => at % one.width), places.map((at) => Math.floor(at / one.width))];
  return `${places.length} pixels differ, between (${Math.min(...xs)}, ${Math.min(...ys)}) and (${Math.max(...xs)}, ${Math.max(...ys)})`;
}

/** Pixels of `one` whose colour is not near them in `other`. Both directions are needed: a missing thin line is near the background everywhere. */
function* unlike(one: Pixels, other: Pixels): Generator<number> {
  for (let at = 0; at < one.width * one.height; at++) if (!isNear(one, other, at)) yield at;
}

function isNear(one: Pixels, other: Pixels, at: number): boolean {
  if (isSame(one, other, at, at)) return true;
  const [x, y] = [at % one.width, Math.floor(at / one.width)];
  for (let row = Math.max(0, y - REACH); row <= Math.min(one.height - 1, y + REACH); row++) {
    for (let column = Math.max(0, x - REACH); column <= Math.min(one.width - 1, x + REACH); column++)
      if (isSame(one, other, at, row * one.width + column)) return true;
  }
  return false;
}

function isSame(one: Pixels, other: Pixels, at: number, there: number): boolean {
  return [0, 1, 2].every(
    (colour) => Math.abs(one.bytes[at * 4 + colour] - other.bytes[there * 4 + colour]) <= SAME_COLOUR,
  );
}
