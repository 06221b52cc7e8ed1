import type { SpeechEngines } from '../speech-engines.js';
import { ChildProcessDecoder } from './audio-decode/child-process-decoder.js';
import { WasmEngine } from './espeak/wasm-engine.js';
import { CommandLineEngine } from './espeak/command-line-engine.js';
import { EspeakSynthesizer } from './espeak/synthesizer.js';
import { PocketSphinxRecognizer } from './pocketsphinx/recognizer.js';

export interface SpeechEngineSettings {
  /** An OpenAI-compatible endpoint, such as `https://speech.example/v1`; undefined: the local engines. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Model for speech synthesis. */
  readonly ttsModel: string;
  /** Model for speech recognition. */
  readonly sttModel: string;
  /** Directories with the programs of local engines, separated by colons. */
  readonly searchPath?: string;
}

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/**
 * Creates the configured engines and loads no others. Nothing is started or searched before first use; each part must
 * be closed.
 */
export async function createSpeechEngines(settings: SpeechEngineSettings): Promise<SpeechEngines> {
  const { baseUrl, apiKey, ttsModel, sttModel, searchPath = SEARCH_PATH } = settings;
  const decoder = new ChildProcessDecoder();
  if (baseUrl !== undefined) {
    const [{ OpenAiSynthesizer }, { OpenAiRecognizer }] = await Promise.all([
      import('./openai/synthesizer.js'),
      import('./openai/recognizer.js'),
    ]);
    const endpoint = { baseUrl, apiKey };
    return {
      decoder,
      synthesizer: new OpenAiSynthesizer(endpoint, ttsModel),
      recognizer: new OpenAiRecognizer(endpoint, sttModel),
    };
  }
  return {
    decoder,
    synthesizer: new EspeakSynthesizer([new CommandLineEngine(searchPath), new WasmEngine()]),
    recognizer: new PocketSphinxRecognizer({ searchPath }),
  };
}
