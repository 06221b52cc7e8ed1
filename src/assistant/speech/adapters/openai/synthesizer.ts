import type OpenAI from 'openai';
import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { resample } from '../../resample.js';
import type { PcmAudio, Synthesizer, Voice } from '../../speech-engines.js';
import { removeSynthesisMarkup } from '../../speech-text-normalizer.js';
import { decodeWav } from '../../wav.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import { callEndpoint, createEndpointClient, type SpeechEndpoint } from './speech-endpoint-client.js';

/** Eleven minutes at 24 kHz. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The API's limit is 4,096 characters. */
const MAX_CHUNK_LENGTH = 4000;

/** Voice names of the API; servers with other models usually support them as well. */
const VOICES: readonly (Voice & { readonly id: string })[] = [
  { name: 'hindsight', description: 'The assistant', language: 'en', id: 'alloy' },
  ...['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'].map((id) => ({
    name: id,
    description: `The voice "${id}" of the speech endpoint`,
    language: 'en',
    id,
  })),
];

/** Synthesizes speech with the `/audio/speech` API of an endpoint. */
export class OpenAiSynthesizer implements Synthesizer {
  private readonly client: OpenAI;
  private readonly queue = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 16, what: 'speech synthesis requests' });
  private readonly shutdown = new ShutdownSignal();

  constructor(
    private readonly endpoint: SpeechEndpoint,
    private readonly model: string,
  ) {
    this.client = createEndpointClient(endpoint, MAX_ANSWER_BYTES);
  }

  async voices(): Promise<readonly Voice[]> {
    return VOICES.map(({ name, description, language }) => ({ name, description, language }));
  }

  async synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<PcmAudio> {
    const selected = VOICES.find(({ name }) => name === voice);
    if (selected === undefined)
      throw new HindsightError('invalid-request', 'Unknown voice.', [
        { field: 'voice', message: `must be one of ${VOICES.map(({ name }) => name).join(', ')}` },
      ]);
    return this.shutdown.runUntilShutdown(signal, (until) =>
      this.queue.run(async () => {
        const sounds: PcmAudio[] = [];
        for (const chunk of splitText(removeSynthesisMarkup(text), MAX_CHUNK_LENGTH))
          sounds.push(await this.synthesizeChunk(chunk, selected.id, speed, until));
        return concatenateAudio(sounds);
      }, until),
    );
  }

  /** The endpoint is not probed, because requests cost money. */
  check(): Promise<Health> {
    return Promise.resolve(this.shutdown.health());
  }

  async close(): Promise<void> {
    this.shutdown.shutDown();
  }

  private async synthesizeChunk(input: string, voice: string, speed: number, signal: AbortSignal): Promise<PcmAudio> {
    const wav = await callEndpoint(this.endpoint, signal, async (until) => {
      const response = await this.client.audio.speech.create(
        { model: this.model, input, voice, speed, response_format: 'wav' },
        { signal: until },
      );
      return new Uint8Array(await response.arrayBuffer());
    });
    const sound = decodeWav(wav);
    if (sound === undefined)
      throw new HindsightError('speech-unavailable', 'The speech endpoint does not return 16-bit WAV audio.');
    return sound;
  }
}

function concatenateAudio(sounds: readonly PcmAudio[]): PcmAudio {
  const sampleRate = sounds[0]?.sampleRate ?? 24_000;
  const parts = sounds.map((sound) => resample(sound, sampleRate).samples);
  const samples = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, sampleRate };
}

/**
 * Splits text into non-empty chunks of at most `most` characters, preferably after sentences, otherwise after words.
 */
export function splitText(text: string, maxLength: number): readonly string[] {
  const chunks: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const end = findCut(rest.slice(0, maxLength + 1), maxLength);
    chunks.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...chunks, rest].filter((chunk) => chunk !== '');
}

function findCut(head: string, maxLength: number): number {
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end))) + 1;
  if (sentence > maxLength / 2) return sentence;
  const word = head.lastIndexOf(' ');
  if (word > 0) return word;
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]/.test(head[maxLength - 1]) ? maxLength - 1 : maxLength;
}
