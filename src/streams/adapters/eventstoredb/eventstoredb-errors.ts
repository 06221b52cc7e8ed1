import { HindsightError, hasCode } from '../../../errors.js';
import { isDamagedEvent } from '../../damaged-event.js';

/** gRPC status codes that this adapter distinguishes. */
const STATUS = { invalidArgument: 3, permissionDenied: 7, unauthenticated: 16 } as const;

/** A failed call, as the gRPC library reports it. */
interface GrpcError {
  readonly code?: number;
  readonly details?: string;
  readonly metadata?: { get(key: string): readonly (string | Buffer)[] };
}

/** Name of the server's exception, such as `maximum-append-size-exceeded`. */
function readServerException(error: unknown): string | undefined {
  return (error as GrpcError).metadata?.get('exception')[0]?.toString();
}

/** Whether a retry can never succeed. */
export function isPermanentError(error: unknown): boolean {
  if (hasCode(error, 'too-large') || isDamagedEvent(error)) return true;
  const { code } = error as GrpcError;
  if (code === STATUS.invalidArgument || code === STATUS.unauthenticated || code === STATUS.permissionDenied)
    return true;
  return [
    'maximum-append-size-exceeded',
    'maximum-append-event-size-exceeded',
    'access-denied',
    'stream-deleted',
  ].includes(readServerException(error) ?? '');
}

/**
 * Whether a subscription can never continue. Unlike other calls it may be refused for a position beyond the end of the
 * log (InvalidArgument since 24.10), which the log of a restored backup reaches again.
 */
export function endsSubscription(error: unknown): boolean {
  return isPermanentError(error) && (error as GrpcError).code !== STATUS.invalidArgument;
}

/** Converts an error. `doing` completes the sentence "EventStoreDB failed while …". */
export function toHindsightError(error: unknown, doing: string): Error {
  if (error instanceof HindsightError || isDamagedEvent(error)) return error;
  const exception = readServerException(error);
  if (exception?.startsWith('maximum-append')) {
    return new HindsightError('too-large', 'The append exceeds the maximum append size of the server', [], {
      cause: error,
    });
  }
  return new HindsightError(
    'unavailable',
    `EventStoreDB failed while ${doing}: ${exception ?? readErrorText(error)}`,
    [],
    { cause: error },
  );
}

function readErrorText(error: unknown): string {
  return (error as GrpcError).details ?? (error instanceof Error ? error.message : String(error));
}

/** Rejects with `unavailable` if `work` takes longer; its later result is ignored. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HindsightError('unavailable', `EventStoreDB did not answer within ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
