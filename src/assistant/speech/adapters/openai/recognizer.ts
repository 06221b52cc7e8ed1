import type OpenAI from 'openai';
import { toFile } from 'openai';
import type { Health } from '../../../../component.js';
import type { PcmAudio, Recognition, Recognizer } from '../../speech-engines.js';
import { encodeWav } from '../../wav.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import { callEndpoint, createEndpointClient, type SpeechEndpoint } from './speech-endpoint-client.js';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Names are hints: models read about 200 tokens of them. */
const MAX_PROMPT_LENGTH = 600;

/** Recognizes speech with the `/audio/transcriptions` API of an endpoint. */
export class OpenAiRecognizer implements Recognizer {
  private readonly client: OpenAI;
  private readonly queue = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 16, what: 'speech recognition requests' });
  private readonly shutdown = new ShutdownSignal();

  constructor(
    private readonly endpoint: SpeechEndpoint,
    private readonly model: string,
  ) {
    this.client = createEndpointClient(endpoint, MAX_ANSWER_BYTES);
  }

  async recognize(sound: PcmAudio, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
    return this.shutdown.runUntilShutdown(signal, (until) =>
      this.queue.run(
        () =>
          callEndpoint(this.endpoint, until, async (callSignal) =>
            toRecognition(await this.requestTranscript(sound, names, callSignal)),
          ),
        until,
      ),
    );
  }

  /** The endpoint is not probed, because requests cost money. */
  check(): Promise<Health> {
    return Promise.resolve(this.shutdown.health());
  }

  async close(): Promise<void> {
    this.shutdown.shutDown();
  }

  private async requestTranscript(
    sound: PcmAudio,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<TranscriptionResponse> {
    const file = await toFile(encodeWav(sound), 'question.wav', { type: 'audio/wav' });
    const request = { file, model: this.model, language: 'en', prompt: buildPrompt(names) };
    // Newer models return token probabilities, those of the Whisper kind segment probabilities; each rejects the
    // other format.
    if (/^gpt-/.test(this.model))
      return this.client.audio.transcriptions.create(
        { ...request, response_format: 'json', include: ['logprobs'] },
        { signal },
      );
    return this.client.audio.transcriptions.create({ ...request, response_format: 'verbose_json' }, { signal });
  }
}

function buildPrompt(names: readonly string[]): string {
  let text = 'A question about services and their telemetry.';
  for (const name of names) {
    if (text.length + name.length + 2 > MAX_PROMPT_LENGTH) break;
    text += ` ${name.replace(/\s+/g, ' ')},`;
  }
  return text.replace(/,$/, '.');
}

/** The part of a response that we read; every member may be absent. */
export interface TranscriptionResponse {
  readonly text?: unknown;
  readonly segments?: readonly { readonly avg_logprob?: number; readonly no_speech_prob?: number }[];
  readonly logprobs?: readonly { readonly logprob?: number }[];
}

/** Neutral value for endpoints that return no probabilities. */
const UNKNOWN_CONFIDENCE = 0.5;

/** Longer than any question. */
const MAX_TEXT_LENGTH = 4000;

export function toRecognition(transcript: TranscriptionResponse): Recognition {
  const text =
    typeof transcript.text === 'string' ? transcript.text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH) : '';
  if (text === '') return { text: '', confidence: 0 };
  const confidence = segmentConfidence(transcript) ?? tokenConfidence(transcript) ?? UNKNOWN_CONFIDENCE;
  return { text, confidence: Math.round(Math.max(0, Math.min(1, confidence)) * 100) / 100 };
}

function segmentConfidence({ segments }: TranscriptionResponse): number | undefined {
  return mean(
    toList(segments).map(({ avg_logprob, no_speech_prob = 0 }) => Math.exp(avg_logprob ?? NaN) * (1 - no_speech_prob)),
  );
}

/** Geometric mean of token probabilities. */
function tokenConfidence({ logprobs }: TranscriptionResponse): number | undefined {
  const logarithm = mean(toList(logprobs).map(({ logprob }) => logprob ?? NaN));
  return logarithm === undefined ? undefined : Math.exp(logarithm);
}

/** Endpoints may not conform to the protocol. */
function toList<T>(value: readonly T[] | undefined): readonly T[] {
  return value !== undefined && Array.isArray(value) ? (value as readonly T[]) : [];
}

/** Mean of the finite values; undefined if there are none. */
function mean(values: readonly number[]): number | undefined {
  const numbers = values.filter(Number.isFinite);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
