import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectGarbage } from '../../unit/streams/adapters/sqlite/log-folder.js';
import type { Random } from '../generator/random.js';
import { ACCOUNT, type Account } from './append-account.js';
import type { FaultyDisk } from './faulty-disk.js';
import { DiskModel, type Image } from './disk-model.js';
import { putImage, storedIds } from './stored-ids.js';
import { readTrace, type Operation } from './trace.js';

const LIFE = fileURLToPath(new URL('./recorded-writer.js', import.meta.url));

/** A file system in memory, since opening thousands of images syncs each of them. */
const MEMORY = '/dev/shm';
/** Number of checked images after which closed connections and their files, 1 MB each, are garbage-collected. */
const COLLECTED_AFTER = 20;

/** Whether the operation concerns files of the log, not the account. */
const isOfLog = (operation: Operation): boolean => operation.kind === 'names synced' || operation.file !== ACCOUNT;

/** The error of an image after a cut before an operation. */
export interface Fault {
  readonly cutAt: number;
  readonly fault: string;
  readonly image: Image;
}

export interface Findings {
  readonly operations: number;
  readonly images: number;
  readonly faults: readonly Fault[];
  /** An image after a cut at the end, from which to continue. */
  readonly last: Image;
}

/** Runs processes that write the log on the disk, each killed at its end, and records their operations. `from`: the initial image. */
export function recordHistory(disk: FaultyDisk, seed: number, lives: number, steps: number, from: Image): Operation[] {
  const trace = join(disk.dataDir, 'trace');
  putImage(from, disk.dataDir);
  for (let life = 0; life < lives; life++) {
    const { signal, stderr } = spawnSync(
      process.execPath,
      [LIFE, String(seed + life), String(steps), String(seed + life)],
      {
        env: { ...process.env, ...disk.environment, DISK_TRACE: trace },
        encoding: 'utf8',
      },
    );
    if (signal !== 'SIGKILL') throw new Error(`life ${life} of seed ${seed} did not come to its end:\n${stderr}`);
  }
  return readTrace(trace);
}

/**
 * Simulates a power cut before every operation of a history that started with `from`, and checks up to about `most` disk
 * images each. `account` describes the state before the history.
 */
export async function cutEverywhere(
  operations: readonly Operation[],
  from: Image,
  account: Account,
  random: Random,
  most: number,
): Promise<Findings> {
  const model = new DiskModel(from);
  const scratch = mkdtempSync(join(MEMORY, 'hindsight-cuts-'));
  const faults: Fault[] = [];
  let images = 0;
  try {
    for (const [cutAt, operation] of operations.entries()) {
      if (!isOfLog(operation)) {
        enter(account, operation);
        continue;
      }
      for (const image of model.images(random, most)) {
        const fault = faultIn(image, account, scratch);
        if (fault !== undefined) faults.push({ cutAt, fault, image });
        if (++images % COLLECTED_AFTER === 0) await collectGarbage();
      }
      model.apply(operation);
    }
    return { operations: operations.length, images, faults, last: random.pick(model.images(random, most)) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function enter(account: Account, operation: Operation): void {
  if (operation.kind === 'written')
    for (const line of operation.bytes.toString('utf8').trim().split('\n')) account.enter(line);
}

function faultIn(image: Image, account: Account, scratch: string): string | undefined {
  try {
    return account.faultOf(storedIds(image, scratch));
  } catch (error) {
    return (error as Error).message;
  }
}
