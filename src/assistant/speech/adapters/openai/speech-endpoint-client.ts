import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import { HindsightError } from '../../../../errors.js';

export interface SpeechEndpoint {
  /** Such as `https://speech.example/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 60_000;

/**
 * A client that talks to this endpoint alone: redirects are failures, answers are cut off at `mostBytes`, and nothing comes from
 * the environment.
 */
export function createEndpointClient(
  { baseUrl, apiKey, deadlineMs = DEADLINE_MS }: SpeechEndpoint,
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
    timeout: deadlineMs,
    fetch: async (url, init) => limitBody(await fetch(url, { ...init, redirect: 'error' }), mostBytes),
  });
}

/** The deadline of the client ends with the headers of the answer: this one does not. */
export async function callEndpoint<T>(
  endpoint: SpeechEndpoint,
  signal: AbortSignal,
  call: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort();
  const deadline = setTimeout(end, endpoint.deadlineMs ?? DEADLINE_MS);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await call(ending.signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toHindsightError(error, ending.signal.aborted);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
}

/** Endpoints quote keys and texts in their messages: nothing of these goes on. */
function toHindsightError(error: unknown, tooLate: boolean): HindsightError {
  if (error instanceof HindsightError) return error;
  const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
  const cause = new Error(
    `the speech endpoint: ${tooLate ? 'no answer in time' : status === undefined ? 'no usable answer' : `status ${status}`}`,
  );
  const later =
    tooLate || error instanceof APIConnectionTimeoutError || status === 429 || (status !== undefined && status >= 500);
  if (later) return new HindsightError('unavailable', 'The speech endpoint does not answer now.', [], { cause });
  return new HindsightError(
    'speech-unavailable',
    'The speech endpoint cannot be used: look at SPEECH_BASE_URL, SPEECH_API_KEY, TTS_MODEL and STT_MODEL.',
    [],
    { cause },
  );
}

function limitBody(response: Response, mostBytes: number): Response {
  let size = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        size += part.length;
        if (size > mostBytes) controller.error(new RangeError('the answer is too large'));
        else controller.enqueue(part);
      },
    }),
  );
  return new Response(counted ?? null, response);
}
