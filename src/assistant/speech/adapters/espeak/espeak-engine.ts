import type { PcmAudio } from '../../speech-engines.js';

export interface SynthesisRequest {
  /** Plain text, without markup. */
  readonly text: string;
  /** Id of an EspeakVoice. */
  readonly voice: string;
  readonly wordsPerMinute: number;
}

/** A build of eSpeak NG that may or may not be installed. */
export interface EspeakEngine {
  isPresent(): Promise<boolean>;
  speak(utterance: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio>;
  /** Ends running work. May be called twice. */
  close(): void;
}

/** Five minutes of speech need half of it; 5,000 characters at half speed are more than 11 minutes: 30 MB. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
export const DEADLINE_MS = 30_000;
