import { existsSync, readFileSync } from 'node:fs';

/** Files that the service needs at least: about 250 while it starts, 150 while it runs, and the rest for connections. */
const REQUIRED_FILES = 1024;

/** Exit status for a wrong configuration (EX_CONFIG of sysexits.h). */
const EX_CONFIG = 78;

/**
 * Ends the process with one line if it may open too few files for the service. Otherwise the start would fail with whatever
 * file happens to be the first that cannot be opened. Windows has no such limit.
 */
export function requireOpenFiles() {
  const limit = readLimit();
  if (typeof limit !== 'number' || limit >= REQUIRED_FILES) return;
  console.error(
    `hindsight: this process may open ${limit} files, the service needs ${REQUIRED_FILES} or more: raise the hard limit (\`ulimit -n 65536\`, LimitNOFILE of systemd, --ulimit nofile of Docker)`,
  );
  process.exit(EX_CONFIG);
}

/** Node raises the soft limit to the hard one when it starts. A report takes 100 ms and more; Linux tells the limit in no time. */
function readLimit() {
  if (!existsSync('/proc/self/limits')) return process.report.getReport().userLimits?.open_files?.soft;
  const found = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  return found === null ? undefined : Number(found[1]);
}
