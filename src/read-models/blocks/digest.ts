import type { LogBlockSummary } from '../logs.js';
import type { SpanBlockSummary } from '../spans.js';
import { decodeLogBlock } from './log-rows.js';
import { RowDigest } from './row-digest.js';
import { decodeSpanBlock } from './span-rows.js';
import { words32 } from './words32.js';

/**
 * Sum modulo 2^64 of a hash of each row's whole content. Sums over all blocks of a Grid are equal exactly when the
 * blocks hold the same rows, however these are spread over blocks and in whichever order.
 */
export function digestSpanBlock(document: SpanBlockSummary, blobs: Readonly<Record<string, Uint8Array>>): bigint {
  const spans = decodeSpanBlock(document, blobs);
  return new RowDigest(document.rows)
    .numbers(spans.startUs)
    .numbers(spans.startNs)
    .numbers(spans.durationNs)
    .words(words32(spans.traceId), 4)
    .words(words32(spans.spanId), 2)
    .words(words32(spans.parentId), 2)
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
    .words(words32(logs.traceId), 4)
    .words(words32(logs.spanId), 2)
    .numbers(logs.revision)
    .numbers(logs.offset)
    .numbers(logs.length)
    .numbers(logs.ordinal)
    .tokens(logs.tokenEnd, logs.tokens, logs.tokenChecks)
    .textSets(logs.wordEnd, logs.wordIds, logs.words)
    .resources(logs.resource, logs.resourceTokens)
    .sum();
}
