import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../../../src/self-telemetry/logger.js';
import { createNativeMemoryTrimmer } from '../../../src/runtime/native-memory.js';
import { collectGarbage } from '../../../src/thread-memory.js';
import { MIB, residentBytes } from '../../support/load/process-watch.js';
import { waitUntil } from '../../support/wait-until.js';

const FREED_BUFFERS = fileURLToPath(new URL('../../support/load/freed-buffers.js', import.meta.url));

const BUFFERS = 20_000;
/** Below the size from which on malloc asks the operating system for each buffer separately. */
const BUFFER_BYTES = 8_000;

/** Distance of buffers that stay: the memory between them is free, but not at the end of an arena. */
const KEPT = 50;

describe('memory of native code', () => {
  it('goes back when large buffers are freed between small ones that stay, without being trimmed', function () {
    const { status, stderr } = spawnSync(process.execPath, [FREED_BUFFERS], { encoding: 'utf8' });
    if (status === 2) this.skip();
    assert.equal(status, 0, stderr);
  });

  it('goes back to the operating system when it is trimmed', async function () {
    let isMissing = false;
    const log = { ...createLogger('silent'), info: () => void (isMissing = true) };
    const trim = createNativeMemoryTrimmer(log);
    await trim(); // loads what it needs, and returns what others have freed
    if (isMissing) this.skip(); // no glibc, or without the optional package koffi
    let buffers = Array.from({ length: BUFFERS }, (_, n) => new Uint8Array(BUFFER_BYTES).fill(n));
    const filled = residentBytes(process.pid);
    buffers = buffers.filter((_, n) => n % KEPT === 0);
    await waitUntil(async () => {
      collectGarbage();
      await trim();
      return residentBytes(process.pid) < filled - 100 * MIB;
    }, 'most of it has gone back');
    assert.equal(buffers.length, BUFFERS / KEPT);
  });
});
