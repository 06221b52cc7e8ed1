import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HindsightError } from '../../../../errors.js';
import type { RecognitionGrammar } from '../../grammar/recognition-grammar.js';
import type { PcmAudio } from '../../speech-engines.js';
import { encodeWav } from '../../wav.js';
import { runProcess, type ProcessLimits } from '../children/child-process.js';
import { parseHypothesis, type Hypothesis } from './recognition-hypothesis.js';
import type { AcousticModel } from './acoustic-model.js';
import { conditionAudio } from './audio-conditioning.js';

export interface RecognitionInput {
  readonly grammar: RecognitionGrammar;
  readonly model: AcousticModel;
  readonly searchPath: string;
}

export interface RecognitionHypotheses {
  /** The best match of the question grammar. */
  readonly question: Hypothesis;
  /** The best phone sequence, independent of words. */
  readonly phones: Hypothesis;
}

const LIMITS: ProcessLimits = { memoryMb: 512, cpuSeconds: 20, timeoutMs: 30_000, maxOutputBytes: 64 * 1024 };

/**
 * Wider beams than the defaults: with a grammar they cost little and find more. Grammar probabilities get little
 * weight, since they only reflect the number of choices. The word insertion penalty is high. All acoustic scores are
 * computed, because relative scores of two searches would not be comparable.
 */
const QUESTION_OPTIONS = [
  '-beam',
  '1e-80',
  '-pbeam',
  '1e-80',
  '-wbeam',
  '1e-60',
  '-lw',
  '1',
  '-wip',
  '0.002',
  '-compallsen',
  'yes',
];
const PHONE_OPTIONS = [
  '-allphone_ci',
  'yes',
  '-lw',
  '2.0',
  '-pip',
  '0.3',
  '-beam',
  '1e-20',
  '-pbeam',
  '1e-20',
  '-compallsen',
  'yes',
];
const WAV_HEADER_BYTES = '44';

/** Runs two searches at once: for questions, and for phones as a reference. Undefined if no question matches at all. */
export async function runRecognition(
  sound: PcmAudio,
  { grammar, model, searchPath }: RecognitionInput,
  signal: AbortSignal,
): Promise<RecognitionHypotheses | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-speech-'));
  const recognize = (name: string, args: readonly string[]) =>
    computeHypothesis(folder, name, args, model, searchPath, signal);
  try {
    const files = {
      'sound.wav': encodeWav(conditionAudio(sound)),
      files: 'sound\n',
      'questions.gram': grammar.jsgf,
      'words.dict': grammar.dictionary,
    };
    await Promise.all(
      Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content, { mode: 0o600 })),
    );
    const [question, phones] = await Promise.all([
      recognize('question', [
        '-jsgf',
        join(folder, 'questions.gram'),
        '-dict',
        join(folder, 'words.dict'),
        ...QUESTION_OPTIONS,
      ]),
      recognize('phones', ['-allphone', model.phones, ...PHONE_OPTIONS]),
    ]);
    return question && phones && { question, phones };
  } finally {
    // Recordings are personal data: deleted as soon as they are processed.
    await rm(folder, { recursive: true, force: true });
  }
}

async function computeHypothesis(
  folder: string,
  name: string,
  args: readonly string[],
  model: AcousticModel,
  searchPath: string,
  signal: AbortSignal,
): Promise<Hypothesis | undefined> {
  const result = join(folder, name);
  const input = [
    '-adcin',
    'yes',
    '-adchdr',
    WAV_HEADER_BYTES,
    '-cepdir',
    folder,
    '-cepext',
    '.wav',
    '-ctl',
    join(folder, 'files'),
  ];
  const command = {
    command: 'pocketsphinx_batch',
    args: ['-hmm', model.acoustic, ...input, '-hypseg', result, '-logfn', '/dev/null', ...args],
    searchPath,
    input: new Uint8Array(),
    limits: LIMITS,
  };
  const { exitCode, errorOutput } = await runProcess(command, signal);
  if (exitCode !== 0)
    throw new HindsightError('unavailable', 'The speech recogniser failed.', [], {
      cause: new Error(`pocketsphinx_batch ended with ${exitCode ?? 'a signal'}: ${errorOutput}`),
    });
  return parseHypothesis(await readFile(result, 'utf8'));
}
