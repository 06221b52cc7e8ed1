import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import type { Sound, Synthesizer, Voice } from '../../speech.js';
import { plainText, spokenText } from '../../spoken-text.js';
import { Search } from '../children/search.js';
import { Stopping } from '../children/stopping.js';
import { Turns } from '../children/turns.js';
import type { Engine } from './engine.js';
import { VOICES } from './voices.js';

/** Words a minute at speed 1. The slowest that eSpeak NG can do is 80. */
const USUAL_RATE = 165;

const UNAVAILABLE = 'No speech engine is installed here. Install espeak-ng (on Debian: apt-get install espeak-ng), or the optional npm package @echogarden/espeak-ng-emscripten.';

/** Speaks by the first of several builds of eSpeak NG that is on this machine. */
export class EspeakSynthesizer implements Synthesizer {
  private readonly turns = new Turns({ atWork: 2, waiting: 16, what: 'texts to speak' });
  private readonly stopping = new Stopping();
  private readonly search: Search<Engine>;

  constructor(private readonly engines: readonly Engine[]) {
    this.search = new Search(() => firstPresent(engines));
  }

  async voices(): Promise<readonly Voice[]> {
    return VOICES.map(({ name, description, language }) => ({ name, description, language }));
  }

  async synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<Sound> {
    const chosen = VOICES.find(({ name }) => name === voice);
    if (chosen === undefined) throw new HindsightError('invalid-request', 'No such voice.', [{ field: 'voice', message: `must be one of ${VOICES.map(({ name }) => name).join(', ')}` }]);
    const engine = await this.engine();
    const utterance = { text: chosen.language.startsWith('en') ? spokenText(text) : plainText(text), voice: chosen.id, wordsPerMinute: Math.round(USUAL_RATE * speed) };
    return this.stopping.during(signal, (until) => this.turns.take(() => engine.speak(utterance, until), until));
  }

  async check(): Promise<Health> {
    if ((await this.search.result()) === undefined) return { ok: false, reason: UNAVAILABLE };
    return this.stopping.health();
  }

  async close(): Promise<void> {
    this.stopping.stop();
    for (const engine of this.engines) engine.close();
  }

  private async engine(): Promise<Engine> {
    const engine = await this.search.result();
    if (engine === undefined) throw new HindsightError('speech-unavailable', UNAVAILABLE);
    return engine;
  }
}

async function firstPresent(engines: readonly Engine[]): Promise<Engine | undefined> {
  for (const engine of engines) if (await engine.isPresent()) return engine;
  return undefined;
}
