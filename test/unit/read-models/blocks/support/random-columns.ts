import fc from 'fast-check';
import type { LogSource } from '../../../../../src/read-models/blocks/log-block-codec.js';
import type { SpanSource } from '../../../../../src/read-models/blocks/span-block-codec.js';
import { StringInterner } from '../../../../../src/telemetry/columns/string-interner.js';

const US_2025 = 1_760_000_000_000_000;

/** What any content of blocks is derived from: a seed and how many rows. */
export const content = fc.record({
  rows: fc.integer({ min: 1, max: 700 }),
  seed: fc.nat(),
  spreadUs: fc.constantFrom(1, 1000, 2 ** 33),
});

/** Columns with any values that the decoder may fill in, edge cases among them. */
export function randomSpans({ rows, seed, spreadUs }: { rows: number; seed: number; spreadUs: number }): SpanSource {
  const next = generator(seed);
  const strings = new StringInterner();
  const texts = ['', 'cart', 'GET /orders/{id}', 'naïve "quoted"', '漢字'].map((text) => strings.internText(text));
  const tags = randomTags(rows, next);
  return {
    startUs: Float64Array.from({ length: rows }, () => US_2025 + next(spreadUs)),
    startNs: Uint16Array.from({ length: rows }, () => next(1000)),
    durationNs: Float64Array.from({ length: rows }, () => [next(1e9), -next(1e6), 0, next(2 ** 50)][next(4)]),
    traceId: ids(rows, 16, next),
    spanId: ids(rows, 8, next),
    parentId: ids(rows, 8, next),
    service: Uint32Array.from({ length: rows }, () => texts[next(2)]),
    operation: Uint32Array.from({ length: rows }, () => texts[next(texts.length)]),
    peer: Uint32Array.from({ length: rows }, () => texts[next(texts.length)]),
    kind: Uint8Array.from({ length: rows }, () => next(6)),
    status: Uint8Array.from({ length: rows }, () => next(3)),
    httpStatus: Uint16Array.from({ length: rows }, () => [0, 200, 500, 65_535][next(4)]),
    ...randomPlaces(rows, next),
    ...tags,
    strings,
  };
}

export function randomLogs({ rows, seed, spreadUs }: { rows: number; seed: number; spreadUs: number }): LogSource {
  const next = generator(seed);
  const strings = new StringInterner();
  const words = new StringInterner();
  const texts = ['', 'cart', '漢字'].map((text) => strings.internText(text));
  const vocabulary = Array.from({ length: 50 }, (_, i) =>
    words.internText(`word${'x'.repeat(i)}${i % 2 === 0 ? '' : i}`),
  );
  let end = 0;
  const wordEnd = Uint32Array.from({ length: rows }, () => (end += next(5)));
  return {
    timeUs: Float64Array.from({ length: rows }, () => US_2025 + next(spreadUs)),
    timeNs: Uint16Array.from({ length: rows }, () => next(1000)),
    severity: Uint8Array.from({ length: rows }, () => 1 + next(24)),
    service: Uint32Array.from({ length: rows }, () => texts[next(3)]),
    traceId: ids(rows, 16, next),
    spanId: ids(rows, 8, next),
    ...randomPlaces(rows, next),
    ordinal: Uint32Array.from({ length: rows }, () => next(100_000)),
    ...randomTags(rows, next),
    wordEnd,
    wordIds: Uint32Array.from({ length: end }, (_, i) => vocabulary[(i * 7) % 50]),
    unordered: Uint8Array.from({ length: rows }, () => (next(9) === 0 ? 1 : 0)),
    exception: Uint8Array.from({ length: rows }, () => next(2)),
    strings,
    words,
  };
}

function randomPlaces(rows: number, next: (below: number) => number) {
  return {
    revision: Uint32Array.from({ length: rows }, (_, row) => 5 + Math.floor(row / 50) + next(2)),
    offset: Uint32Array.from({ length: rows }, () => next(2 ** 26)),
    length: Uint32Array.from({ length: rows }, () => next(5000)),
  };
}

function randomTags(rows: number, next: (below: number) => number) {
  let end = 0;
  const tokenEnd = Uint32Array.from({ length: rows }, () => (end += next(4)));
  return {
    tokenEnd,
    tokens: Uint32Array.from({ length: end }, () => [next(9), next(2 ** 32)][next(2)]),
    tokenChecks: Uint16Array.from({ length: end }, () => next(3)),
    resource: Uint32Array.from({ length: rows }, () => next(4)),
    resourceTokens: [[], [1], [1, 2], [1]].map((tokens) => ({
      tokens: Uint32Array.from(tokens),
      checks: Uint16Array.from(tokens),
    })),
  };
}

/** Few different ids, the zero id among them. */
function ids(rows: number, size: number, next: (below: number) => number): Uint8Array {
  const bytes = new Uint8Array(rows * size);
  for (let row = 0; row < rows; row++) bytes.fill(next(20), row * size + size - 2, (row + 1) * size);
  return bytes;
}

function generator(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
