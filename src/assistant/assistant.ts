import type { AnswerSource } from './answerer.js';
import type { Recognition, PcmAudio, Voice } from './speech/speech-engines.js';

/** Who uses the assistant, by which instance, in which Grid: checked by the caller. */
export interface AssistantCaller {
  readonly userId: string;
  readonly gridId: string;
  readonly instanceId: string;
}

export interface AssistantReply {
  readonly response: string;
  readonly conversationId: string;
  readonly sources: readonly AnswerSource[];
  readonly suggestedFollowUps: readonly string[];
  readonly energyConsumed: number;
}

/**
 * The assistant as the API offers it. Each use is accounted for before work begins, and given back where the work fails;
 * each rejects with the codes of AssistantCommands beside its own. `signal` is aborted when nobody waits for the answer any
 * more: work MAY end then, and what it reserved MUST NOT stay reserved.
 */
export interface Assistant {
  /** `session-not-found`, `assistant-disabled`, `daily-prompt-limit`, `energy-exhausted`. */
  chat(
    seat: AssistantCaller,
    prompt: string,
    conversationId: string | undefined,
    signal?: AbortSignal,
  ): Promise<AssistantReply>;
  voices(): Promise<readonly Voice[]>;
  /** `speech-minutes-exceeded`, `speech-unavailable`, `invalid-request` for an unknown voice. */
  synthesize(
    seat: AssistantCaller,
    text: string,
    voice: string,
    speed: number,
    signal?: AbortSignal,
  ): Promise<PcmAudio>;
  /** `audio-unsupported` where the bytes are no WAV, MP3 or OGG. `durationMs` is the length of the recording. */
  recognize(
    seat: AssistantCaller,
    audio: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Recognition & { readonly durationMs: number }>;
}
