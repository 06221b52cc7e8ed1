import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import type { PcmAudio, Synthesizer, Voice } from '../../speech-engines.js';
import { normalizeForSpeech, removeSynthesisMarkup } from '../../speech-text-normalizer.js';
import { SingleFlightLookup } from '../children/single-flight-lookup.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import type { EspeakEngine } from './espeak-engine.js';

/** Words per minute at speed 1. The minimum of eSpeak NG is 80. */
const DEFAULT_WORDS_PER_MINUTE = 165;

const UNAVAILABLE =
  'No speech engine is installed here. Install espeak-ng (on Debian: apt-get install espeak-ng), or the optional npm package @echogarden/espeak-ng-emscripten.';

/** Uses the first available of several builds of eSpeak NG. */
export class EspeakSynthesizer implements Synthesizer {
  private readonly queue = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 16, what: 'speech synthesis requests' });
  private readonly shutdown = new ShutdownSignal();
  private readonly search: SingleFlightLookup<EspeakEngine>;

  constructor(private readonly engines: readonly EspeakEngine[]) {
    this.search = new SingleFlightLookup(() => findFirstPresent(engines));
  }

  async voices(): Promise<readonly Voice[]> {
    return ESPEAK_VOICES.map(({ name, description, language }) => ({ name, description, language }));
  }

  async synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<PcmAudio> {
    const selected = ESPEAK_VOICES.find(({ name }) => name === voice);
    if (selected === undefined)
      throw new HindsightError('invalid-request', 'Unknown voice.', [
        { field: 'voice', message: `must be one of ${ESPEAK_VOICES.map(({ name }) => name).join(', ')}` },
      ]);
    const engine = await this.requireEngine();
    const utterance = {
      text: selected.language.startsWith('en') ? normalizeForSpeech(text) : removeSynthesisMarkup(text),
      voice: selected.id,
      wordsPerMinute: Math.round(DEFAULT_WORDS_PER_MINUTE * speed),
    };
    return this.shutdown.runUntilShutdown(signal, (until) =>
      this.queue.run(() => engine.speak(utterance, until), until),
    );
  }

  async check(): Promise<Health> {
    if ((await this.search.result()) === undefined) return { ok: false, reason: UNAVAILABLE };
    return this.shutdown.health();
  }

  async close(): Promise<void> {
    this.shutdown.shutDown();
    for (const engine of this.engines) engine.close();
  }

  private async requireEngine(): Promise<EspeakEngine> {
    const engine = await this.search.result();
    if (engine === undefined) throw new HindsightError('speech-unavailable', UNAVAILABLE);
    return engine;
  }
}

async function findFirstPresent(engines: readonly EspeakEngine[]): Promise<EspeakEngine | undefined> {
  for (const engine of engines) if (await engine.isPresent()) return engine;
  return undefined;
}

/** A voice of eSpeak NG: language and variant as in both builds, such as `en-us+f3`. */
interface EspeakVoice extends Voice {
  readonly id: string;
}

/** The assistant's voice comes first. */
export const ESPEAK_VOICES: readonly EspeakVoice[] = [
  {
    name: 'hindsight',
    description: 'The assistant: American English, calm and clear',
    language: 'en-US',
    id: 'en-us+f3',
  },
  { name: 'american-female', description: 'American English, female', language: 'en-US', id: 'en-us+f2' },
  { name: 'american-male', description: 'American English, male', language: 'en-US', id: 'en-us+m3' },
  { name: 'british-female', description: 'British English, female', language: 'en-GB', id: 'en-gb-x-rp+f2' },
  { name: 'british-male', description: 'British English, male', language: 'en-GB', id: 'en-gb-x-rp+m3' },
  { name: 'scottish', description: 'Scottish English', language: 'en-GB-scotland', id: 'en-gb-scotland' },
  { name: 'german', description: 'German', language: 'de', id: 'de+f2' },
  { name: 'french', description: 'French', language: 'fr', id: 'fr+f2' },
  { name: 'spanish', description: 'Spanish', language: 'es', id: 'es+f2' },
  { name: 'italian', description: 'Italian', language: 'it', id: 'it+f2' },
];
