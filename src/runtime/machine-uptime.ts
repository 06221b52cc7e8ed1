import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Uptime } from '../policies/retention-clock.js';

/** Linux names each start of the machine; containers see that of their host. */
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
/** Time (ms) between two questions to the machine, which reads a file for each. */
const READ_INTERVAL_MS = 1_000;

/**
 * Reads the time since the machine started, which includes the time while it was suspended and changes with no clock.
 * Where the machine does not name its start, the time since this process started.
 */
export function createUptimeReader(): () => Uptime {
  const bootId = readBootId();
  if (bootId === undefined) return createProcessUptimeReader();
  let readAt = -Infinity;
  let startedBefore = 0;
  return () => {
    const now = performance.now();
    if (now - readAt >= READ_INTERVAL_MS) {
      startedBefore = uptime() * 1_000 - now;
      readAt = now;
    }
    return { machineStart: bootId, ms: now + startedBefore };
  };
}

function createProcessUptimeReader(): () => Uptime {
  const machineStart = randomUUID();
  return () => ({ machineStart, ms: performance.now() });
}

/** Undefined on other systems, and where a sandbox hides it or the time since the start. */
function readBootId(): string | undefined {
  try {
    uptime();
    const bootId = readFileSync(BOOT_ID_FILE, 'utf8').trim();
    return bootId === '' ? undefined : bootId;
  } catch {
    return undefined;
  }
}
