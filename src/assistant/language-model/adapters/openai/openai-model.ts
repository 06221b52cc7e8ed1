import { setTimeout as wait } from 'node:timers/promises';
import OpenAI, { APIError } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { hasCode } from '../../../../errors.js';
import { runWithTimeout } from '../../../abortable-timeout.js';
import {
  type ChatMessage,
  type Completion,
  type CompletionRequest,
  type LanguageModel,
  ModelError,
  type ToolCall,
} from '../../language-model.js';
import { createBoundedFetch } from './bounded-fetch.js';

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
export function createOpenAiModel({
  baseUrl,
  model,
  apiKey,
  maxTokens = MAX_TOKENS,
  timeoutMs = TIMEOUT_MS,
}: OpenAiModelOptions): LanguageModel {
  const client = createClient(baseUrl, apiKey);
  const attempt = async (dialogue: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    try {
      const body = { ...toParameters(dialogue), model, max_tokens: maxTokens };
      // The package clears its own time-out when the headers have come; ours ends with the body.
      return parseCompletion(
        await runWithTimeout(signal, timeoutMs, (awaited) => client.chat.completions.create(body, { signal: awaited })),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
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
function createClient(baseURL: string, apiKey: string | undefined): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { Authorization: apiKey === undefined ? null : `Bearer ${apiKey}` },
    logLevel: 'off',
    maxRetries: 0,
    fetch: createBoundedFetch(new URL(baseURL)),
  });
}

function toParameters({
  messages,
  tools,
  mayCall,
}: CompletionRequest): Omit<ChatCompletionCreateParamsNonStreaming, 'model'> {
  return {
    messages: messages.map(toApiMessage),
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice: mayCall ? 'auto' : 'none',
  };
}

function toApiMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text,
        ...(message.calls.length > 0 && {
          tool_calls: message.calls.map(({ id, name, arguments: given }) => ({
            id,
            type: 'function',
            function: { name, arguments: given },
          })),
        }),
      };
    default:
      return { role: message.role, content: message.text };
  }
}

/** Without the words of the other side, which may repeat what was asked, and what was asked belongs in no log. */
function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (hasCode(error, 'unavailable')) return new ModelError('slow', 'The model did not answer in time');
  if (!(error instanceof APIError)) return new ModelError('malformed', 'The model answered no JSON');
  // The package wraps what our fetch throws.
  if (error.cause instanceof ModelError) return error.cause;
  const status = error.status as number | undefined;
  const isPassing = status === undefined || status === 429 || status >= 500;
  return new ModelError(
    isPassing ? 'unreachable' : 'refused',
    `The endpoint of the model answered ${status ?? 'nothing'}${describeReason(error)}`,
  );
}

/** A code such as `context_length_exceeded`: a word, so it repeats nothing that was asked. */
function describeReason({ code, type }: { readonly code?: unknown; readonly type?: unknown }): string {
  const reason = [code, type].find((word) => typeof word === 'string' && /^[a-z0-9_]{1,40}$/.test(word));
  return reason === undefined ? '' : `: ${reason as string}`;
}

/**
 * The message in an answer, which is as it is called by convention alone: endpoints of this kind are of many makers. Throws
 * `malformed` for anything else, and for a message that was cut: the end of a figure could be missing.
 */
export function parseCompletion(answer: unknown): Completion {
  const choice = readMember(readMember(answer, 'choices'), '0');
  const message = readMember(choice, 'message');
  if (!isObject(message)) throw malformedError('no message');
  if (readMember(choice, 'finish_reason') === 'length') throw malformedError('a message that was cut');
  const { content = null, tool_calls: calls = null } = message;
  if (content !== null && typeof content !== 'string') throw malformedError('a message that is no text');
  if (calls !== null && !Array.isArray(calls)) throw malformedError('calls that are no list');
  return { text: content ?? '', calls: (calls ?? []).map(parseToolCall) };
}

function parseToolCall(call: unknown): ToolCall {
  const [id, name] = [readMember(call, 'id'), readMember(readMember(call, 'function'), 'name')];
  const given = readMember(readMember(call, 'function'), 'arguments') ?? '';
  if (typeof name !== 'string') throw malformedError('a call without a name');
  // Some send an object where OpenAI sends its JSON.
  return {
    id: typeof id === 'string' ? id : '',
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  };
}

function malformedError(what: string): ModelError {
  return new ModelError('malformed', `The model answered ${what}`);
}

function readMember(value: unknown, name: string): unknown {
  return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
