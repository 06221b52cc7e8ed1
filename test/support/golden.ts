import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from 'canvas';

/** Of 255, in any colour: below it lies what smoothing of edges differs in. */
const SAME_COLOUR = 64;
/** An edge may be smoothed to the one side or to the other: what is looked for may lie this many pixels away. */
const REACH = 1;
/** Pixels that may differ for all that: a label that is missing has about a hundred. */
const ALLOWED = 24;

/** Writes pictures anew instead of comparing them; look at each before it is committed. */
export const UPDATE_VARIABLE = 'UPDATE_GOLDEN';

const FOLDER = fileURLToPath(new URL('../../../test/charts/golden/', import.meta.url));

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, rows from the top. */
  readonly bytes: Uint8Array;
}

export async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return { width: image.width, height: image.height, bytes: Uint8Array.from(canvas.data()) };
}

/** The picture looks as the one that was looked at before it was committed. */
export async function assertGolden(name: string, png: Uint8Array): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  if (process.env[UPDATE_VARIABLE] !== undefined) return writeFileSync(path, png);
  const actual = join(tmpdir(), 'hindsight-golden', `${name}.png`);
  const fail = (fault: string): never => {
    mkdirSync(join(actual, '..'), { recursive: true });
    writeFileSync(actual, png);
    return assert.fail(
      `${name}: ${fault}. The picture is in ${actual}, the expected one in ${path}; ${UPDATE_VARIABLE}=1 replaces that one.`,
    );
  };
  if (!existsSync(path)) return fail('there is no such golden picture');
  const fault = difference(await pixelsOf(png), await pixelsOf(readFileSync(path)));
  if (fault !== undefined) fail(fault);
}

/** In words; undefined where people would see none. */
export function difference(one: Pixels, other: Pixels): string | undefined {
  if (one.width !== other.width || one.height !== other.height)
    return `it is ${one.width} × ${one.height} pixels, not ${other.width} × ${other.height}`;
  const places = [...unlike(one, other), ...unlike(other, one)];
  if (places.length <= ALLOWED) return undefined;
  const [xs, ys] = [places.map((at) => at % one.width), places.map((at) => Math.floor(at / one.width))];
  return `${places.length} pixels differ, between (${Math.min(...xs)}, ${Math.min(...ys)}) and (${Math.max(...xs)}, ${Math.max(...ys)})`;
}

/** Places of `one` whose colour `other` has nowhere near. Both directions matter: a thin line that is gone is near to background everywhere. */
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
