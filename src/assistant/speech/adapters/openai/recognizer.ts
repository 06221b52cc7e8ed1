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

/** Understands by `/audio/transcriptions` of an endpoint. */
export class OpenAiRecognizer implements Recognizer {
  private readonly client: OpenAI;
  private readonly turns = new BoundedWorkQueue({ atWork: 2, waiting: 16, what: 'recordings to understand' });
  private readonly stopping = new ShutdownSignal();

  constructor(
    private readonly endpoint: SpeechEndpoint,
    private readonly model: string,
  ) {
    this.client = createEndpointClient(endpoint, MAX_ANSWER_BYTES);
  }

  async recognize(sound: PcmAudio, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
    return this.stopping.runUntilShutdown(signal, (until) =>
      this.turns.run(
        () =>
          callEndpoint(this.endpoint, until, async (ending) =>
            toRecognition(await this.requestTranscript(sound, names, ending)),
          ),
        until,
      ),
    );
  }

  /** Whether the endpoint answers is seen when it is used: asking costs money. */
  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.shutDown();
  }

  private async requestTranscript(
    sound: PcmAudio,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<TranscriptionResponse> {
    const file = await toFile(encodeWav(sound), 'question.wav', { type: 'audio/wav' });
    const request = { file, model: this.model, language: 'en', prompt: buildPrompt(names) };
    // Models of the newer kind tell probabilities of tokens, those of the Whisper kind of segments: each refuses the other's form.
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

/** What endpoints answer, as far as we look at it: every member may be absent. */
export interface TranscriptionResponse {
  readonly text?: unknown;
  readonly segments?: readonly { readonly avg_logprob?: number; readonly no_speech_prob?: number }[];
  readonly logprobs?: readonly { readonly logprob?: number }[];
}

/** Of an endpoint that does not say how sure it is: neither sure nor unsure. */
const UNKNOWN_CONFIDENCE = 0.5;

/** No question is longer. */
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

/** The geometric mean of the probabilities of tokens. */
function tokenConfidence({ logprobs }: TranscriptionResponse): number | undefined {
  const logarithm = mean(toList(logprobs).map(({ logprob }) => logprob ?? NaN));
  return logarithm === undefined ? undefined : Math.exp(logarithm);
}

/** Nothing says that an endpoint keeps to the protocol. */
function toList<T>(given: readonly T[] | undefined): readonly T[] {
  return given !== undefined && Array.isArray(given) ? (given as readonly T[]) : [];
}

/** Of the numbers among them; undefined without any. */
function mean(values: readonly number[]): number | undefined {
  const numbers = values.filter(Number.isFinite);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}
