import { createNativeMemoryTrimmer } from '../../../src/runtime/native-memory.js';
import { createLogger } from '../../../src/self-telemetry/logger.js';
import { collectGarbage } from '../../../src/thread-memory.js';
import { waitUntil } from '../wait-until.js';
import { MIB, residentBytes } from './process-watch.js';

/** Below the size from which on malloc asks the operating system for each buffer separately. */
const SMALL_BYTES = 8_000;

/**
 * A process of its own, since what earlier work has freed in an arena is used before a new mapping: frees large buffers
 * between small ones that stay, and ends with 0 once they have gone back to the operating system without being trimmed,
 * with 2 if the allocator cannot be set up here.
 */
let isMissing = false;
await createNativeMemoryTrimmer({ ...createLogger('silent'), info: () => void (isMissing = true) })();
if (isMissing) process.exit(2);
// malloc of itself would keep in its arenas what is smaller than the largest piece that was ever freed.
if (new Uint8Array(30 * MIB).fill(1).length !== 30 * MIB) process.exit(1);
collectGarbage();
const small: Uint8Array[] = [];
let large: Uint8Array[] = [];
for (let n = 0; n < 100; n++) {
  large.push(new Uint8Array(2 * MIB).fill(n));
  small.push(new Uint8Array(SMALL_BYTES).fill(n));
}
const filled = residentBytes(process.pid);
large = [];
await waitUntil(() => {
  collectGarbage();
  return residentBytes(process.pid) < filled - 150 * MIB;
}, 'they have gone back');
process.exit(small.length === 100 && large.length === 0 ? 0 : 1);
