import type { Component } from '../../component.js';

/** Mono sound: samples from -1 to 1. */
export interface PcmAudio {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

export interface Voice {
  /** What clients name it by; `hindsight` is the assistant's own. */
  readonly name: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
}

/** Text to speech. Rejects with `speech-unavailable`, whose message names what to install, and `overloaded`. */
export interface Synthesizer extends Component {
  voices(): Promise<readonly Voice[]>;
  /** `speed` is a multiplier from 0.5 to 3. */
  synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<PcmAudio>;
}

export interface Recognition {
  /** "" where nothing was understood. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Speech to text, of one segment at 16 kHz. `names` are the services and operations that people may speak of. Rejects like Synthesizer. */
export interface Recognizer extends Component {
  recognize(sound: PcmAudio, names: readonly string[], signal: AbortSignal): Promise<Recognition>;
}

/** The sound in a file that somebody uploaded, of whatever format `audioFormatOf` knows. */
export interface AudioDecoder extends Component {
  /**
   * Mono at 16 kHz, of the true length of the recording. Rejects with `audio-unsupported` for what is no such file or is
   * damaged, and with `audio-too-large` for more than 10 minutes, however small the file.
   */
  decode(audio: Uint8Array, signal: AbortSignal): Promise<PcmAudio>;
}

/** Everything about speech. Each part rejects with `speech-unavailable` as long as no engine can do its work. */
export interface SpeechEngines {
  readonly synthesizer: Synthesizer;
  readonly recognizer: Recognizer;
  readonly decoder: AudioDecoder;
}
