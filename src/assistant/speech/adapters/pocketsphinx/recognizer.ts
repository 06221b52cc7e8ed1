import { readFile } from 'node:fs/promises';
import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { buildGrammar, type RecognitionGrammar } from '../../grammar/recognition-grammar.js';
import { SphinxDictionary, type PronunciationDictionary } from '../../grammar/pronunciation-dictionary.js';
import type { Recognition, Recognizer, PcmAudio } from '../../speech-engines.js';
import { SingleFlightLookup } from '../children/single-flight-lookup.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import { computeConfidence, type Hypothesis } from './recognition-hypothesis.js';
import { runRecognition } from './pocketsphinx-run.js';
import { findAcousticModel, hasProgram, MODEL_FOLDERS, type AcousticModel } from './acoustic-model.js';

const UNAVAILABLE =
  'No speech recogniser is installed here. Install PocketSphinx with its English model (on Debian: apt-get install pocketsphinx pocketsphinx-en-us), or name an endpoint in SPEECH_BASE_URL.';

/** Below this the result is more likely wrong than right, so the user is asked again. */
const MIN_CONFIDENCE = 0.25;

/** Shorter recordings are clicks, not questions. */
const MIN_SECONDS = 0.2;

const NO_RECOGNITION: Recognition = { text: '', confidence: 0 };

/** Silence, noise and tones match no phone better than silence. */
function isSpeech({ words }: Hypothesis): boolean {
  return words.filter((phone) => phone !== 'SIL').length >= 2;
}

interface PocketSphinxEngine {
  readonly model: AcousticModel;
  readonly lexicon: PronunciationDictionary;
}

export interface PocketSphinxOptions {
  readonly searchPath: string;
  /** Directories that may contain the model. */
  readonly folders?: readonly string[];
}

/** Recognizes English questions about the services of a Grid, using PocketSphinx. */
export class PocketSphinxRecognizer implements Recognizer {
  private readonly queue = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 16, what: 'speech recognition requests' });
  private readonly shutdown = new ShutdownSignal();
  private readonly engine: SingleFlightLookup<PocketSphinxEngine>;
  private last: { readonly names: string; readonly grammar: RecognitionGrammar } | undefined;

  constructor(private readonly options: PocketSphinxOptions) {
    this.engine = new SingleFlightLookup(() => findEngine(options));
  }

  async recognize(sound: PcmAudio, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
    const engine = await this.engine.result();
    if (engine === undefined) throw new HindsightError('speech-unavailable', UNAVAILABLE);
    if (sound.samples.length < MIN_SECONDS * sound.sampleRate) return NO_RECOGNITION;
    const grammar = this.grammarFor(names, engine.lexicon);
    const hypotheses = await this.shutdown.runUntilShutdown(signal, (until) =>
      this.queue.run(
        () => runRecognition(sound, { grammar, model: engine.model, searchPath: this.options.searchPath }, until),
        until,
      ),
    );
    if (hypotheses === undefined || !isSpeech(hypotheses.phones)) return NO_RECOGNITION;
    const confidence = Math.round(computeConfidence(hypotheses.question, hypotheses.phones) * 100) / 100;
    return confidence < MIN_CONFIDENCE
      ? { text: '', confidence }
      : { text: grammar.toText(hypotheses.question.words), confidence };
  }

  async check(): Promise<Health> {
    if ((await this.engine.result()) === undefined) return { ok: false, reason: UNAVAILABLE };
    return this.shutdown.health();
  }

  async close(): Promise<void> {
    this.shutdown.shutDown();
  }

  /** Cached, because users ask several questions about the same Grid in a row. */
  private grammarFor(names: readonly string[], lexicon: PronunciationDictionary): RecognitionGrammar {
    const key = names.join('\n');
    if (this.last?.names !== key) this.last = { names: key, grammar: buildGrammar(names, lexicon) };
    return this.last.grammar;
  }
}

async function findEngine({
  searchPath,
  folders = MODEL_FOLDERS,
}: PocketSphinxOptions): Promise<PocketSphinxEngine | undefined> {
  const model = (await hasProgram(searchPath)) ? await findAcousticModel(folders) : undefined;
  return model && { model, lexicon: new SphinxDictionary(await readFile(model.dictionary, 'latin1')) };
}
