import { wavLength, wavPieces } from '../../assistant/speech/wav.js';
import { BinaryAnswer } from '../binary-answer.js';
import { SynthesisModel } from '../requests/synthesis.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Transcript, Voices } from '../schemas/assistant.js';
import { BY_INSTANCE, seatOf } from './assistant-use.js';

/** Contract §4: 1 MB. */
const MAX_AUDIO_BYTES = 1_048_576;

export const speechRoutes: readonly Route[] = [
  route({
    tag: 'Assistant',
    roles: EVERY_ROLE,
    method: 'GET',
    path: '/assistant/voices',
    operationId: 'listVoices',
    summary: 'List the voices that text can be read with',
    grid: 'none',
    run: ({ assistant }) => assistant.voices(),
    answer: Voices,
    refusals: ['speech-unavailable'],
    present: (voices) => ({ voices: voices.map(({ name, description, language }) => ({ name, description, language })) }),
  }),
  route({
    ...BY_INSTANCE,
    method: 'POST',
    path: '/assistant/speech/{instanceSecondaryId}/synthesize',
    operationId: 'synthesizeSpeech',
    summary: 'Read a text aloud',
    description: 'The length of the sound counts against the speech minutes of the Grid; what would pass them is refused whole.',
    body: SynthesisModel,
    mediaType: 'audio/wav',
    refusals: ['session-not-found', 'speech-minutes-exceeded', 'speech-unavailable', 'conflict'],
    run: ({ assistant }, { body: { text, voice, speed }, signal, ...call }) => assistant.synthesize(seatOf(call), text, voice, speed, signal),
    present: (sound) => new BinaryAnswer('audio/wav', wavLength(sound), wavPieces(sound)),
  }),
  route({
    ...BY_INSTANCE,
    method: 'POST',
    path: '/assistant/speech/{instanceSecondaryId}/recognize',
    operationId: 'recognizeSpeech',
    summary: 'Write down what a recording says',
    description: 'WAV, MP3 or OGG (Vorbis, Opus), by its content and not by its name; at most 1 MiB (1,048,576 bytes) and 10 minutes, which count against the speech minutes of the Grid.',
    file: { name: 'audio', maxBytes: MAX_AUDIO_BYTES, tooLarge: 'audio-too-large' },
    slow: true,
    refusals: ['session-not-found', 'audio-unsupported', 'audio-too-large', 'speech-minutes-exceeded', 'speech-unavailable', 'conflict'],
    run: ({ assistant }, { file, signal, ...call }) => assistant.recognize(seatOf(call), file, signal),
    answer: Transcript,
    present: ({ text, confidence, durationMs }) => ({ text, confidence, durationMs }),
  }),
];
