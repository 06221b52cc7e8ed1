import type { Assistant, AssistantReply, AssistantCaller } from '../../src/assistant/assistant.js';
import type { Recognition, PcmAudio, Voice } from '../../src/assistant/speech/speech-engines.js';
import { withInternalMember } from './internal-member.js';

export const CONVERSATION_ID = '0f0f0f0f-1111-4222-8333-0123456789ab';

/** Returns the same answer to every prompt, with more members than specified; records prompts. */
export class FakeAssistant implements Assistant {
  readonly asked: { readonly name: keyof Assistant; readonly with: readonly unknown[] }[] = [];
  /** Abort signal of the last call. */
  signal: AbortSignal | undefined;
  /** Runs before an answer; tests may let it fail or wait. */
  work: (signal: AbortSignal | undefined) => Promise<unknown> = async () => undefined;
  sound: PcmAudio = { samples: Float32Array.of(0, 0.5, -0.5, 1), sampleRate: 22_050 };

  chat(
    caller: AssistantCaller,
    prompt: string,
    conversationId: string | undefined,
    signal?: AbortSignal,
  ): Promise<AssistantReply> {
    return this.answer(
      'chat',
      [caller, prompt, conversationId],
      signal,
      withInternalMember({
        response: 'Checkout is slow.',
        conversationId: conversationId ?? CONVERSATION_ID,
        sources: [
          withInternalMember({ type: 'health', description: '7 services, last 15 minutes' }),
          withInternalMember({ type: 'diagnosis', description: '1 cause', confidence: 0.8, traceCount: 12 }),
        ],
        suggestedFollowUps: ['Why is checkout slow?'],
        energyConsumed: 3,
      }),
    );
  }

  voices(): Promise<readonly Voice[]> {
    return this.answer('voices', [], undefined, [
      withInternalMember({ name: 'hindsight', description: 'The own voice', language: 'en' }),
    ]);
  }

  synthesize(
    caller: AssistantCaller,
    text: string,
    voice: string,
    speed: number,
    signal?: AbortSignal,
  ): Promise<PcmAudio> {
    return this.answer('synthesize', [caller, text, voice, speed], signal, this.sound);
  }

  recognize(
    caller: AssistantCaller,
    audio: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Recognition & { readonly durationMs: number }> {
    return this.answer(
      'recognize',
      [caller, audio],
      signal,
      withInternalMember({ text: 'why is checkout slow', confidence: 0.9, durationMs: 1_234 }),
    );
  }

  private async answer<Answer>(
    name: keyof Assistant,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
    answer: Answer,
  ): Promise<Answer> {
    this.asked.push({ name, with: values });
    this.signal = signal;
    await this.work(signal);
    return answer;
  }
}
