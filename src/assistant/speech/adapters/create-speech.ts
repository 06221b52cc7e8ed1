import type { Speech } from '../speech.js';
import { ProcessDecoder } from './audio-decode/decoder.js';
import { ModuleEngine } from './espeak/module-engine.js';
import { ProgramEngine } from './espeak/program-engine.js';
import { EspeakSynthesizer } from './espeak/synthesizer.js';
import { OpenAiRecognizer } from './openai/recognizer.js';
import { OpenAiSynthesizer } from './openai/synthesizer.js';
import { PocketSphinxRecognizer } from './pocketsphinx/recognizer.js';

export interface SpeechSettings {
  /** An OpenAI-compatible endpoint, such as `https://speech.example/v1`; undefined: the local engines. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Model that speaks there. */
  readonly ttsModel: string;
  /** Model that listens there. */
  readonly sttModel: string;
  /** Folders where the programs of local engines may be, with colons between them. */
  readonly searchPath?: string;
}

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Chooses the engines. Nothing is started or looked for before it is used; each part is closed by itself. */
export function createSpeech(settings: SpeechSettings): Speech {
  const { baseUrl, apiKey, ttsModel, sttModel, searchPath = SEARCH_PATH } = settings;
  const decoder = new ProcessDecoder();
  if (baseUrl !== undefined) {
    const endpoint = { baseUrl, apiKey };
    return { decoder, synthesizer: new OpenAiSynthesizer(endpoint, ttsModel), recognizer: new OpenAiRecognizer(endpoint, sttModel) };
  }
  return {
    decoder,
    synthesizer: new EspeakSynthesizer([new ProgramEngine(searchPath), new ModuleEngine()]),
    recognizer: new PocketSphinxRecognizer({ searchPath }),
  };
}
