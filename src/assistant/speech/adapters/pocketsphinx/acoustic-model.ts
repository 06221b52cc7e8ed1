import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, type ProcessLimits } from '../children/child-process.js';

/** Where an installation keeps what it knows of English. */
export interface AcousticModel {
  readonly acoustic: string;
  readonly dictionary: string;
  /** Probabilities of phones after each other. */
  readonly phones: string;
}

/** Of Debian, of a build by hand, and of Homebrew. */
export const MODEL_FOLDERS = [
  '/usr/share/pocketsphinx/model/en-us',
  '/usr/local/share/pocketsphinx/model/en-us',
  '/opt/homebrew/share/pocketsphinx/model/en-us',
];

const PROBE_LIMITS: ProcessLimits = { memoryMb: 256, processorS: 5, deadlineMs: 1500, mostOutputBytes: 1024 * 1024 };

/** The first folder that holds a complete model. */
export async function findAcousticModel(folders: readonly string[]): Promise<AcousticModel | undefined> {
  for (const folder of folders) {
    const model = {
      acoustic: join(folder, 'en-us'),
      dictionary: join(folder, 'cmudict-en-us.dict'),
      phones: join(folder, 'en-us-phone.lm.bin'),
    };
    const present = await Promise.all([join(model.acoustic, 'mdef'), model.dictionary, model.phones].map(isReadable));
    if (present.every(Boolean)) return model;
  }
  return undefined;
}

/** Without arguments the program prints its options and fails. */
export async function hasProgram(searchPath: string): Promise<boolean> {
  const order = { command: 'pocketsphinx_batch', args: [], searchPath, input: new Uint8Array(), bounds: PROBE_LIMITS };
  const outcome = await runProcess(order, new AbortController().signal).catch(() => undefined);
  return outcome !== undefined && outcome.complaint.includes('-adcin');
}

async function isReadable(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Not there, or not readable, which is the same to us.
    return false;
  }
}
