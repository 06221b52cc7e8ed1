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

/** Of the protocol: 4,096 characters. */
const MAX_CHUNK_LENGTH = 4000;

/** Names that the protocol has; servers of other models mostly understand them too. */
const VOICES: readonly (Voice & { readonly id: string })[] = [
  { name: 'hindsight', description: 'The assistant', language: 'en', id: 'alloy' },
  ...['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'].map((id) => ({
    name: id,
    description: `The voice "${id}" of the speech endpoint`,
    language: 'en',
    id,
  })),
];

/** Speaks by `/audio/speech` of an endpoint. */
export class OpenAiSynthesizer implements Synthesizer {
  private readonly client: OpenAI;
  private readonly turns = new BoundedWorkQueue({ atWork: 2, waiting: 16, what: 'texts to speak' });
  private readonly stopping = new ShutdownSignal();

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
    const chosen = VOICES.find(({ name }) => name === voice);
    if (chosen === undefined)
      throw new HindsightError('invalid-request', 'No such voice.', [
        { field: 'voice', message: `must be one of ${VOICES.map(({ name }) => name).join(', ')}` },
      ]);
    return this.stopping.runUntilShutdown(signal, (until) =>
      this.turns.run(async () => {
        const sounds: PcmAudio[] = [];
        for (const piece of splitText(removeSynthesisMarkup(text), MAX_CHUNK_LENGTH))
          sounds.push(await this.synthesizeChunk(piece, chosen.id, speed, until));
        return concatenateAudio(sounds);
      }, until),
    );
  }

  /** Whether the endpoint answers is seen when it is used: asking costs money. */
  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.shutDown();
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
      throw new HindsightError('speech-unavailable', 'The speech endpoint does not answer with WAV of 16 bits.');
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

/** The text in pieces of at most so many characters, cut after sentences, else after words, else anywhere. Without empty ones. */
export function splitText(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const end = findCut(rest.slice(0, most + 1), most);
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

function findCut(head: string, most: number): number {
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end))) + 1;
  if (sentence > most / 2) return sentence;
  const word = head.lastIndexOf(' ');
  if (word > 0) return word;
  // Between the halves of a character is no place to cut.
  return /[\ud800-\udbff]/.test(head[most - 1]) ? most - 1 : most;
}
