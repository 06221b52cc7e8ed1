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
  /** If absent, requests have no Authorization header, as local servers expect. */
  readonly apiKey?: string;
  /** Limit per message, including reasoning. Default 2,048. */
  readonly maxTokens?: number;
  /** Time limit per message in ms. Default 20 s. */
  readonly timeoutMs?: number;
}

const MAX_TOKENS = 2_048;
const TIMEOUT_MS = 20_000;
/** Delay in ms before the single retry. */
const RETRY_AFTER_MS = 500;

/** A language model behind an endpoint with OpenAI's chat completions API. */
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
      // The package's timeout ends when the headers arrive; ours includes the body.
      return parseCompletion(
        await runWithTimeout(signal, timeoutMs, (workSignal) =>
          client.chat.completions.create(body, { signal: workSignal }),
        ),
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
 * Sets all options that the package would otherwise read from the environment. Disables its retries: a Retry-After of
 * an hour would block it, ignoring signals.
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
          tool_calls: message.calls.map(({ id, name, arguments: json }) => ({
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        }),
      };
    default:
      return { role: message.role, content: message.text };
  }
}

/** Omits the remote error message, which may quote the prompt: prompts must not be logged. */
function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (hasCode(error, 'unavailable')) return new ModelError('slow', 'The model did not respond in time');
  if (!(error instanceof APIError)) return new ModelError('malformed', 'The model response is not JSON');
  // The package wraps errors of our fetch.
  if (error.cause instanceof ModelError) return error.cause;
  const status = error.status as number | undefined;
  const isPassing = status === undefined || status === 429 || status >= 500;
  return new ModelError(
    isPassing ? 'unreachable' : 'refused',
    `The model endpoint responded with ${status ?? 'nothing'}${describeReason(error)}`,
  );
}

/** An error code such as `context_length_exceeded`; restricted to a single word, so that it cannot quote the prompt. */
function describeReason({ code, type }: { readonly code?: unknown; readonly type?: unknown }): string {
  const reason = [code, type].find((word) => typeof word === 'string' && /^[a-z0-9_]{1,40}$/.test(word));
  return reason === undefined ? '' : `: ${reason as string}`;
}

/**
 * Reads the message of a response. Implementations of this API differ, so nothing is assumed about it. Throws
 * `malformed` for anything else, and for truncated messages, in which figures could be incomplete.
 */
export function parseCompletion(answer: unknown): Completion {
  const choice = readMember(readMember(answer, 'choices'), '0');
  const message = readMember(choice, 'message');
  if (!isObject(message)) throw malformedError('no message');
  if (readMember(choice, 'finish_reason') === 'length') throw malformedError('a truncated message');
  const { content = null, tool_calls: calls = null } = message;
  if (content !== null && typeof content !== 'string') throw malformedError('a message without text');
  if (calls !== null && !Array.isArray(calls)) throw malformedError('malformed tool calls');
  return { text: content ?? '', calls: (calls ?? []).map(parseToolCall) };
}

function parseToolCall(call: unknown): ToolCall {
  const [id, name] = [readMember(call, 'id'), readMember(readMember(call, 'function'), 'name')];
  const json = readMember(readMember(call, 'function'), 'arguments') ?? '';
  if (typeof name !== 'string') throw malformedError('a call without a name');
  // Some servers send an object instead of JSON text.
  return {
    id: typeof id === 'string' ? id : '',
    name,
    arguments: typeof json === 'string' ? json : JSON.stringify(json),
  };
}

function malformedError(what: string): ModelError {
  return new ModelError('malformed', `The model response has ${what}`);
}

function readMember(value: unknown, name: string): unknown {
  return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
