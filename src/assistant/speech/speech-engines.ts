import type { Component } from '../../component.js';

/** Mono audio: samples from -1 to 1. */
export interface PcmAudio {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

export interface Voice {
  /** Name for clients; `hindsight` is the assistant's own voice. */
  readonly name: string;
  readonly description: string;
  /** BCP 47 tag. */
  readonly language: string;
}

/** Text to speech. Rejects with `speech-unavailable`, whose message names what to install, and with `overloaded`. */
export interface Synthesizer extends Component {
  voices(): Promise<readonly Voice[]>;
  /** `speed` is a factor from 0.5 to 3. */
  synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<PcmAudio>;
}

export interface Recognition {
  /** "" if nothing was recognized. */
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/**
 * Speech to text for one segment at 16 kHz. `names` are the services and operations that may be mentioned. Rejects
 * like Synthesizer.
 */
export interface Recognizer extends Component {
  recognize(sound: PcmAudio, names: readonly string[], signal: AbortSignal): Promise<Recognition>;
}

/** Decodes uploaded audio files in any format of `detectAudioFormat`. */
export interface AudioDecoder extends Component {
  /**
   * Mono at 16 kHz, with the true length of the recording. Rejects with `audio-unsupported` for other or damaged
   * files, and with `audio-too-large` for more than 10 minutes, regardless of the file size.
   */
  decode(audio: Uint8Array, signal: AbortSignal): Promise<PcmAudio>;
}

/** The speech engines. Each part rejects with `speech-unavailable` while its engine is not installed. */
export interface SpeechEngines {
  readonly synthesizer: Synthesizer;
  readonly recognizer: Recognizer;
  readonly decoder: AudioDecoder;
}
