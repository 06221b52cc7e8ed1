import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import { HindsightError } from '../../../../errors.js';

export interface SpeechEndpoint {
  /** Such as `https://speech.example/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs?: number;
}

const DEADLINE_MS = 60_000;

/**
 * A client for this endpoint only: redirects are errors, responses are limited to `mostBytes`, and nothing is read
 * from the environment.
 */
export function createEndpointClient(
  { baseUrl, apiKey, timeoutMs = DEADLINE_MS }: SpeechEndpoint,
  mostBytes: number,
): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: async (url, init) => limitBody(await fetch(url, { ...init, redirect: 'error' }), mostBytes, init?.signal),
  });
}

/**
 * The client's own timeout ends when the headers arrive; this one includes the body. It does not rely on `fetch` to notice
 * the signal: Node.js 20 may have collected what connects the two.
 */
export async function callEndpoint<T>(
  endpoint: SpeechEndpoint,
  signal: AbortSignal,
  call: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const end = () => controller.abort();
  const deadline = setTimeout(end, endpoint.timeoutMs ?? DEADLINE_MS);
  const ended = new Promise<never>((_, reject) =>
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true }),
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([call(controller.signal), ended]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toHindsightError(error, controller.signal.aborted);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
}

/** Endpoints may quote keys and texts in error messages, so these are omitted. */
function toHindsightError(error: unknown, tooLate: boolean): HindsightError {
  if (error instanceof HindsightError) return error;
  const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
  const cause = new Error(
    `Speech endpoint: ${tooLate ? 'no response in time' : status === undefined ? 'no usable response' : `status ${status}`}`,
  );
  const later =
    tooLate || error instanceof APIConnectionTimeoutError || status === 429 || (status !== undefined && status >= 500);
  if (later) return new HindsightError('unavailable', 'The speech endpoint is not responding.', [], { cause });
  return new HindsightError(
    'speech-unavailable',
    'The speech endpoint cannot be used. Check SPEECH_BASE_URL, SPEECH_API_KEY, TTS_MODEL and STT_MODEL.',
    [],
    { cause },
  );
}

/** An error in the stream closes the connection, too. */
function limitBody(response: Response, mostBytes: number, signal: AbortSignal | null | undefined): Response {
  let size = 0;
  const limited = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
      transform(part, controller) {
        size += part.length;
        if (size > mostBytes) controller.error(new RangeError('the answer is too large'));
        else controller.enqueue(part);
      },
    }),
  );
  return new Response(limited ?? null, response);
}
