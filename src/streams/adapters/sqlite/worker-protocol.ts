import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { ErrorCode } from '../../../errors.js';
import { DamagedEvent, isDamagedEvent } from '../../damaged-event.js';
import type { AppendResult, Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import type { CheckedSlice } from '../../log-checker.js';
import type { AppendRequest } from './event-appender.js';
import type { TruncationResult } from './log-truncation.js';

/** Calls to the append worker. */
export interface WriteCalls {
  open: { readonly request: undefined; readonly answer: undefined };
  append: { readonly request: AppendRequest; readonly answer: AppendResult };
  truncate: {
    readonly request: { readonly prefix: string; readonly beforeTime: number };
    readonly answer: TruncationResult;
  };
  check: { readonly request: undefined; readonly answer: Health };
  close: { readonly request: undefined; readonly answer: undefined };
}

/** Calls to the read worker. */
export interface ReadCalls {
  readStream: {
    readonly request: { readonly stream: string; readonly from?: Revision; readonly limit?: number };
    readonly answer: RecordedEvent[];
  };
  readAll: {
    readonly request: { readonly after: Position; readonly options: ReadAllOptions };
    readonly answer: RecordedEvent[];
  };
  readEvent: {
    readonly request: { readonly stream: string; readonly revision: Revision };
    readonly answer: RecordedEvent | undefined;
  };
  head: { readonly request: undefined; readonly answer: Position };
  checkAfter: { readonly request: Position; readonly answer: CheckedSlice };
  close: { readonly request: undefined; readonly answer: undefined };
}

/** Calls to the checkpoint worker from the main thread; passes are requested by the append worker. */
export interface CheckpointCalls {
  close: { readonly request: undefined; readonly answer: undefined };
}

/** A call as sent to a worker. */
export type Call<Calls> = {
  [Kind in keyof Calls & string]: {
    readonly id: number;
    readonly kind: Kind;
    readonly request: Calls[Kind] extends { readonly request: infer Request } ? Request : never;
  };
}[keyof Calls & string];

/** The reply to the call with the same id. */
export type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly fault: Fault };

/** A serialized error. */
export interface Fault {
  readonly message: string;
  readonly code?: string;
  readonly position?: Position;
  readonly revision?: Revision | undefined;
  readonly isUnreadable?: boolean;
}

export function toFault(error: unknown): Fault {
  if (isDamagedEvent(error))
    return {
      message: error.message,
      code: error.code,
      position: error.position,
      revision: error.revision,
      isUnreadable: error.isUnreadable,
    };
  const { message, code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? { message, code } : { message };
}

/** Restores an error. Errors without one of our codes become `unavailable`. */
export function fromFault({ message, code, position, revision, isUnreadable = false }: Fault): Error {
  if (code === 'damaged-event' && position !== undefined) {
    return new DamagedEvent(position, message.slice(message.indexOf(': ') + 2), { revision, isUnreadable });
  }
  const errorCode: ErrorCode = code === 'too-large' ? code : 'unavailable';
  return new HindsightError(errorCode, message);
}

/** Terminates a worker that cannot deserialize a message, so that pending calls are rejected instead of hanging. */
export function throwError(error: Error): never {
  throw error;
}
