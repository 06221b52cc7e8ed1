import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectGarbage } from '../../unit/streams/adapters/sqlite/log-folder.js';
import type { Random } from '../generator/random.js';
import { ACCOUNT, type Account } from './account.js';
import type { FaultyDisk } from './disk.js';
import { DiskModel, type Image } from './disk-model.js';
import { putImage, storedIds } from './stored-ids.js';
import { readTrace, type Operation } from './trace.js';

const LIFE = fileURLToPath(new URL('./recorded-life.js', import.meta.url));

/** A file system without a disk: thousands of images are synced when they are opened. */
const MEMORY = '/dev/shm';
/** Images that are looked at before closed connections and their files, a megabyte each, are collected. */
const COLLECTED_AFTER = 20;

/** What concerns files of the log; what else the trace tells is the account. */
const isOfLog = (operation: Operation): boolean => operation.kind === 'names synced' || operation.file !== ACCOUNT;

/** What is wrong with an image of a cut before an operation. */
export interface Fault {
  readonly cutAt: number;
  readonly fault: string;
  readonly image: Image;
}

export interface Findings {
  readonly operations: number;
  readonly images: number;
  readonly faults: readonly Fault[];
  /** What a cut after all operations left, to go on from. */
  readonly last: Image;
}

/** Runs lives of a log on the disk, each killed at its end, and records them. `from`: what the first finds. */
export function record(disk: FaultyDisk, seed: number, lives: number, steps: number, from: Image): Operation[] {
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
 * Cuts the power before every operation of a history that began with `from`, and looks at what a start finds on up to
 * about `most` disks each. `account` is of what was before.
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
