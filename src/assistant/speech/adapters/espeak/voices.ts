import type { Voice } from '../../speech.js';

/** A voice of eSpeak NG: language and variant as both of its builds know them, such as `en-us+f3`. */
export interface EspeakVoice extends Voice {
  readonly id: string;
}

/** The voice of the assistant comes first. */
export const VOICES: readonly EspeakVoice[] = [
  { name: 'hindsight', description: 'The assistant: American English, calm and clear', language: 'en-US', id: 'en-us+f3' },
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
