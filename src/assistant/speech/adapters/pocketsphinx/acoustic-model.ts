import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, type ProcessLimits } from '../children/child-process.js';

/** Files of an installed English acoustic model. */
export interface AcousticModel {
  readonly acoustic: string;
  readonly dictionary: string;
  /** Phone language model. */
  readonly phones: string;
}

/** Directories of Debian, of a manual build, and of Homebrew. */
export const MODEL_FOLDERS = [
  '/usr/share/pocketsphinx/model/en-us',
  '/usr/local/share/pocketsphinx/model/en-us',
  '/opt/homebrew/share/pocketsphinx/model/en-us',
];

const PROBE_LIMITS: ProcessLimits = { memoryMb: 256, cpuSeconds: 5, timeoutMs: 1500, maxOutputBytes: 1024 * 1024 };

/** The first directory that contains a complete model. */
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

/** True if the program exists; without arguments it prints its options and fails. */
export async function hasProgram(searchPath: string): Promise<boolean> {
  const command = {
    command: 'pocketsphinx_batch',
    args: [],
    searchPath,
    input: new Uint8Array(),
    limits: PROBE_LIMITS,
  };
  const outcome = await runProcess(command, new AbortController().signal).catch(() => undefined);
  return outcome !== undefined && outcome.errorOutput.includes('-adcin');
}

async function isReadable(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Missing or not readable.
    return false;
  }
}
