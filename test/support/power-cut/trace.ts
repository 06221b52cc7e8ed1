import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** An operation of a process on a watched file, in the order of the disk (see shim.c). */
export type Operation =
  | { readonly kind: 'opened' | 'created' | 'synced' | 'unsynced' | 'unlinked'; readonly file: string }
  | { readonly kind: 'written'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncated'; readonly file: string; readonly at: number }
  | { readonly kind: 'names synced' };

const HEAD_BYTES = 24;
const KINDS: Readonly<Record<string, Operation['kind']>> = {
  o: 'opened',
  c: 'created',
  w: 'written',
  t: 'truncated',
  s: 'synced',
  f: 'unsynced',
  n: 'names synced',
  u: 'unlinked',
};

/** The operations of a trace, of all processes that appended to it. Files are identified by base name. */
export function readTrace(path: string): Operation[] {
  const bytes = readFileSync(path);
  const names = new Map<number, string>();
  const operations: Operation[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = Number(bytes.readBigInt64LE(at + 16));
    const data = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + size);
    operations.push(operationOf(bytes.subarray(at, at + HEAD_BYTES), data, names));
    at += HEAD_BYTES + size;
  }
  return operations;
}

/** Each process numbers its files from 0, in the order of opening. */
function operationOf(head: Buffer, data: Buffer, names: Map<number, string>): Operation {
  const kind = KINDS[String.fromCharCode(head.readInt32LE(0))];
  const index = head.readInt32LE(4);
  const at = Number(head.readBigInt64LE(8));
  if (kind === 'names synced') return { kind };
  if (kind === 'opened' || kind === 'created') names.set(index, basename(data.toString('utf8')));
  const file = names.get(index)!;
  if (kind === 'written') return { kind, file, at, bytes: data };
  return kind === 'truncated' ? { kind, file, at } : { kind, file };
}
