import { createHash } from 'node:crypto';
import type { StringInterner } from '../../telemetry/columns/string-interner.js';
import type { NumberArray } from './section.js';
import type { ResourceTokens } from './tag-postings.js';
import { asWords32, mix32 } from './uint32-words.js';
import type { LogBlockSummary, SpanBlockSummary } from '../documents/block-documents.js';
import { decodeLogBlock } from './log-block-codec.js';
import { decodeSpanBlock } from './span-block-codec.js';

const TWO_32 = 4_294_967_296;

/**
 * A 64-bit hash of each row, fed column by column. `sum` adds the rows up, so that neither their order nor their
 * distribution over blocks matters.
 */
export class RowDigest {
  private readonly low: Uint32Array;
  private readonly high: Uint32Array;

  constructor(readonly rows: number) {
    this.low = new Uint32Array(rows).fill(0x243f6a88);
    this.high = new Uint32Array(rows).fill(0x85a308d3);
  }

  /** One number per row, up to 2^53 in magnitude. */
  numbers(column: NumberArray): this {
    for (let row = 0; row < this.rows; row++) {
      this.feed(row, column[row] >>> 0);
      this.feed(row, Math.floor(column[row] / TWO_32) >>> 0);
    }
    return this;
  }

  /** `width` words per row. */
  words(column: Uint32Array, width: number): this {
    for (let row = 0; row < this.rows; row++)
      for (let word = 0; word < width; word++) this.feed(row, column[row * width + word]);
    return this;
  }

  /** One string per row. */
  texts(ids: Uint32Array, strings: StringInterner): this {
    const hashes = new Map<number, Uint32Array>();
    for (let row = 0; row < this.rows; row++) {
      const hash = hashes.get(ids[row]) ?? hashText(strings.text(ids[row]));
      hashes.set(ids[row], hash);
      this.feed(row, hash[0]);
      this.feed(row, hash[1]);
    }
    return this;
  }

  /** A set of tokens per row. */
  tokens(ends: Uint32Array, tokens: Uint32Array, checks: Uint16Array): this {
    for (let row = 0, t = 0; row < this.rows; row++) {
      let sum = 0;
      for (; t < ends[row]; t++) sum = (sum + hashToken(tokens[t], checks[t])) >>> 0;
      this.feed(row, sum);
    }
    return this;
  }

  /** A list of strings per row. */
  textLists(ends: Uint32Array, ids: Uint32Array, strings: StringInterner): this {
    const hashes = new Map<number, number>();
    for (let row = 0, i = 0; row < this.rows; row++) {
      let mixed = ends[row] - i;
      for (; i < ends[row]; i++) {
        const hash = hashes.get(ids[i]) ?? hashText(strings.text(ids[i]))[0];
        hashes.set(ids[i], hash);
        mixed = mix32(mixed ^ hash);
      }
      this.feed(row, mixed);
    }
    return this;
  }

  /** The set of its resource's tokens per row. */
  resources(resource: Uint32Array, resources: readonly ResourceTokens[]): this {
    const sums = resources.map(({ tokens, checks }) =>
      tokens.reduce((sum, token, i) => (sum + hashToken(token, checks[i])) >>> 0, 0),
    );
    for (let row = 0; row < this.rows; row++) this.feed(row, sums[resource[row]]);
    return this;
  }

  /** Sum over all rows modulo 2^64. */
  sum(): bigint {
    let low = 0;
    let high = 0;
    for (let row = 0; row < this.rows; row++) {
      low += this.low[row];
      high += this.high[row];
    }
    return BigInt.asUintN(64, BigInt(low) + (BigInt(high) << 32n));
  }

  private feed(row: number, word: number): void {
    this.low[row] = mix32(this.low[row] ^ word);
    this.high[row] = mix32(Math.imul(this.high[row], 0x9e3779b1) + word + 0x7f4a7c15);
  }
}

function hashToken(token: number, check: number): number {
  return mix32(token ^ mix32(check + 1));
}

function hashText(text: string): Uint32Array {
  const bytes = createHash('sha256').update(text).digest();
  return Uint32Array.of(bytes.readUInt32LE(0), bytes.readUInt32LE(4));
}

/**
 * Sum modulo 2^64 of a hash of each row's content. The sums over all blocks of a Grid are equal exactly if the blocks
 * hold the same rows, however these are distributed and ordered.
 */
export function digestSpanBlock(document: SpanBlockSummary, blobs: Readonly<Record<string, Uint8Array>>): bigint {
  const spans = decodeSpanBlock(document, blobs);
  return new RowDigest(document.rows)
    .numbers(spans.startUs)
    .numbers(spans.startNs)
    .numbers(spans.durationNs)
    .words(asWords32(spans.traceId), 4)
    .words(asWords32(spans.spanId), 2)
    .words(asWords32(spans.parentId), 2)
    .texts(spans.service, spans.strings)
    .texts(spans.operation, spans.strings)
    .texts(spans.peer, spans.strings)
    .numbers(spans.kind)
    .numbers(spans.status)
    .numbers(spans.httpStatus)
    .numbers(spans.revision)
    .numbers(spans.offset)
    .numbers(spans.length)
    .tokens(spans.tokenEnd, spans.tokens, spans.tokenChecks)
    .resources(spans.resource, spans.resourceTokens)
    .sum();
}

/** The same for a block of log records. */
export function digestLogBlock(document: LogBlockSummary, blobs: Readonly<Record<string, Uint8Array>>): bigint {
  const logs = decodeLogBlock(document, blobs);
  return new RowDigest(document.rows)
    .numbers(logs.timeUs)
    .numbers(logs.timeNs)
    .numbers(logs.severity)
    .numbers(logs.exception)
    .texts(logs.service, logs.strings)
    .words(asWords32(logs.traceId), 4)
    .words(asWords32(logs.spanId), 2)
    .numbers(logs.revision)
    .numbers(logs.offset)
    .numbers(logs.length)
    .numbers(logs.ordinal)
    .tokens(logs.tokenEnd, logs.tokens, logs.tokenChecks)
    .textLists(logs.wordEnd, logs.wordIds, logs.words)
    .numbers(logs.unordered)
    .resources(logs.resource, logs.resourceTokens)
    .sum();
}
