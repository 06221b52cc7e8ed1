import { setTimeout as wait } from 'node:timers/promises';
import OpenAI, { APIError } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { hasCode } from '../../../../errors.js';
import { withinTime } from '../../../patience.js';
import { ModelError, type Completion, type Dialogue, type LanguageModel, type Message } from '../../language-model.js';
import { boundedFetch } from './bounded-fetch.js';
import { readCompletion } from './read-completion.js';

export interface OpenAiModelOptions {
  /** Such as `https://llm.example/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Absent: requests carry none, as local servers like it. */
  readonly apiKey?: string;
  /** Of one message, whatever a model thinks before it included. 2,048 unless said otherwise. */
  readonly maxTokens?: number;
  /** For one message. 20 s unless said otherwise. */
  readonly timeoutMs?: number;
}

const MAX_TOKENS = 2_048;
const TIMEOUT_MS = 20_000;
/** Before the one attempt that follows a failure. */
const RETRY_AFTER_MS = 500;

/** A language model behind an endpoint that speaks OpenAI's chat completions. */
export function createOpenAiModel({ baseUrl, model, apiKey, maxTokens = MAX_TOKENS, timeoutMs = TIMEOUT_MS }: OpenAiModelOptions): LanguageModel {
  const client = clientOf(baseUrl, apiKey);
  const attempt = async (dialogue: Dialogue, signal: AbortSignal): Promise<Completion> => {
    try {
      const body = { ...parametersOf(dialogue), model, max_tokens: maxTokens };
      // The package clears its own time-out when the headers have come; ours ends with the body.
      return readCompletion(await withinTime(signal, timeoutMs, (awaited) => client.chat.completions.create(body, { signal: awaited })));
    } catch (error) {
      signal.throwIfAborted();
      throw faultOf(error);
    }
  };
  return {
    async complete(dialogue, signal) {
      try {
        return await attempt(dialogue, signal);
      } catch (error) {
        if (!(error instanceof ModelError) || error.fault !== 'unreachable') throw error;
        await wait(RETRY_AFTER_MS, undefined, { signal });
        return attempt(dialogue, signal);
      }
    },
  };
}

/**
 * All that the package would read from the environment is given. It retries nothing: a Retry-After of an hour would keep
 * it waiting for that long, deaf to signals.
 */
function clientOf(baseURL: string, apiKey: string | undefined): OpenAI {
  return new OpenAI({
    baseURL, apiKey: apiKey ?? 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null,
    defaultHeaders: { Authorization: apiKey === undefined ? null : `Bearer ${apiKey}` },
    logLevel: 'off', maxRetries: 0, fetch: boundedFetch(new URL(baseURL)),
  });
}

function parametersOf({ messages, tools, mayCall }: Dialogue): Omit<ChatCompletionCreateParamsNonStreaming, 'model'> {
  return {
    messages: messages.map(messageOf),
    tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
    tool_choice: mayCall ? 'auto' : 'none',
  };
}

function messageOf(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool': return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': return { role: 'assistant', content: message.text, ...(message.calls.length > 0 && { tool_calls: message.calls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } })) }) };
    default: return { role: message.role, content: message.text };
  }
}

/** Without the words of the other side, which may repeat what was asked, and what was asked belongs in no log. */
function faultOf(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (hasCode(error, 'unavailable')) return new ModelError('slow', 'The model did not answer in time');
  if (!(error instanceof APIError)) return new ModelError('malformed', 'The model answered no JSON');
  // The package wraps what our fetch throws.
  if (error.cause instanceof ModelError) return error.cause;
  const status = error.status as number | undefined;
  const isPassing = status === undefined || status === 429 || status >= 500;
  return new ModelError(isPassing ? 'unreachable' : 'refused', `The endpoint of the model answered ${status ?? 'nothing'}${reasonOf(error)}`);
}

/** A code such as `context_length_exceeded`: a word, so it repeats nothing that was asked. */
function reasonOf({ code, type }: { readonly code?: unknown; readonly type?: unknown }): string {
  const reason = [code, type].find((word) => typeof word === 'string' && /^[a-z0-9_]{1,40}$/.test(word));
  return reason === undefined ? '' : `: ${reason as string}`;
}
