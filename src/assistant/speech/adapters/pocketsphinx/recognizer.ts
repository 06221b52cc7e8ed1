import { readFile } from 'node:fs/promises';
import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { grammarOf, type Grammar } from '../../grammar/grammar.js';
import { SphinxLexicon, type Lexicon } from '../../grammar/lexicon.js';
import type { Recognition, Recognizer, Sound } from '../../speech.js';
import { Search } from '../children/search.js';
import { Stopping } from '../children/stopping.js';
import { Turns } from '../children/turns.js';
import { confidenceOf } from './confidence.js';
import type { Hypothesis } from './hypothesis.js';
import { listen } from './listening.js';
import { findModel, hasProgram, MODEL_FOLDERS, type Model } from './model.js';

const UNAVAILABLE = 'No speech recogniser is installed here. Install PocketSphinx with its English model (on Debian: apt-get install pocketsphinx pocketsphinx-en-us), or name an endpoint in SPEECH_BASE_URL.';

/** Less sure than this, what was understood is more likely wrong than right: better ask again. */
const LEAST_CONFIDENCE = 0.25;

/** A click is no question. */
const LEAST_SECONDS = 0.2;

const NOTHING: Recognition = { text: '', confidence: 0 };

/** Silence, noise and tones fit no phone better than silence. */
function isSpeech({ words }: Hypothesis): boolean {
  return words.filter((phone) => phone !== 'SIL').length >= 2;
}

interface Engine {
  readonly model: Model;
  readonly lexicon: Lexicon;
}

export interface PocketSphinxOptions {
  readonly searchPath: string;
  /** Where the model may be. */
  readonly folders?: readonly string[];
}

/** Understands English questions about the services of a Grid, and nothing else, by the programs of PocketSphinx. */
export class PocketSphinxRecognizer implements Recognizer {
  private readonly turns = new Turns({ atWork: 2, waiting: 16, what: 'recordings to understand' });
  private readonly stopping = new Stopping();
  private readonly engine: Search<Engine>;
  private last: { readonly names: string; readonly grammar: Grammar } | undefined;

  constructor(private readonly options: PocketSphinxOptions) {
    this.engine = new Search(() => findEngine(options));
  }

  async recognize(sound: Sound, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
    const engine = await this.engine.result();
    if (engine === undefined) throw new HindsightError('speech-unavailable', UNAVAILABLE);
    if (sound.samples.length < LEAST_SECONDS * sound.sampleRate) return NOTHING;
    const grammar = this.grammar(names, engine.lexicon);
    const heard = await this.stopping.during(signal, (until) => this.turns.take(() => listen(sound, { grammar, model: engine.model, searchPath: this.options.searchPath }, until), until));
    if (heard === undefined || !isSpeech(heard.phones)) return NOTHING;
    const confidence = Math.round(confidenceOf(heard.question, heard.phones) * 100) / 100;
    return confidence < LEAST_CONFIDENCE ? { text: '', confidence } : { text: grammar.written(heard.question.words), confidence };
  }

  async check(): Promise<Health> {
    if ((await this.engine.result()) === undefined) return { ok: false, reason: UNAVAILABLE };
    return this.stopping.health();
  }

  async close(): Promise<void> {
    this.stopping.stop();
  }

  /** People ask several questions about the same Grid in a row. */
  private grammar(names: readonly string[], lexicon: Lexicon): Grammar {
    const key = names.join('\n');
    if (this.last?.names !== key) this.last = { names: key, grammar: grammarOf(names, lexicon) };
    return this.last.grammar;
  }
}

async function findEngine({ searchPath, folders = MODEL_FOLDERS }: PocketSphinxOptions): Promise<Engine | undefined> {
  const model = (await hasProgram(searchPath)) ? await findModel(folders) : undefined;
  return model && { model, lexicon: new SphinxLexicon(await readFile(model.dictionary, 'latin1')) };
}
