import type { AnswerSource } from './answerer.js';
import type { Recognition, PcmAudio, Voice } from './speech/speech-engines.js';

/** The user, assistant instance and Grid of a request; verified by the caller. */
export interface AssistantCaller {
  readonly userId: string;
  /** Id of the user whose prompts and energy are used: for an API key, of whoever issued it. */
  readonly accountId: string;
  readonly gridId: string;
  readonly instanceId: string;
  /** Whether answers may contain what only Members and Owners administer; never true for API keys. */
  readonly mayAdminister: boolean;
}

export interface AssistantReply {
  readonly response: string;
  readonly conversationId: string;
  readonly sources: readonly AnswerSource[];
  readonly suggestedFollowUps: readonly string[];
  readonly energyConsumed: number;
}

/**
 * The assistant as the API offers it. Each use is reserved before the work begins and refunded if it fails; each
 * method also rejects with the codes of AssistantCommands. `signal` is aborted when the client disconnects: work MAY
 * then be cancelled, and its reservation MUST be released.
 */
export interface Assistant {
  /** `session-not-found`, `assistant-disabled`, `daily-prompt-limit`, `energy-exhausted`. */
  chat(
    caller: AssistantCaller,
    prompt: string,
    conversationId: string | undefined,
    signal?: AbortSignal,
  ): Promise<AssistantReply>;
  voices(): Promise<readonly Voice[]>;
  /** `speech-minutes-exceeded`, `speech-unavailable`, `invalid-request` for an unknown voice. */
  synthesize(
    caller: AssistantCaller,
    text: string,
    voice: string,
    speed: number,
    signal?: AbortSignal,
  ): Promise<PcmAudio>;
  /** `audio-unsupported` if the bytes are not WAV, MP3 or OGG. `durationMs` is the length of the recording. */
  recognize(
    caller: AssistantCaller,
    audio: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Recognition & { readonly durationMs: number }>;
}
