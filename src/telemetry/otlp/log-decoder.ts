import type { LogColumns } from '../log-columns.js';
/** Appends the accepted log records of an inflated, validated request. `rejected`: ordinals to pass by, ascending. */
export function decodeLogs(body: Uint8Array, revision: number, rejected: readonly number[], receivedAtMs: number, into: LogColumns): void { void body; void revision; void rejected; void receivedAtMs; void into; throw new Error('being written'); }
