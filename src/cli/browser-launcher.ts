import { spawn } from 'node:child_process';

const OPEN_COMMANDS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  linux: 'xdg-open',
  freebsd: 'xdg-open',
};

/**
 * Opens the address in the browser without a shell, and does not wait for it. Calls `failed` when there is no known
 * opener or it fails.
 */
export function openBrowser(address: string, onFailure: () => void): void {
  const opener = OPEN_COMMANDS[process.platform];
  if (opener === undefined) {
    onFailure();
    return;
  }
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0) onFailure();
  });
  child.unref();
}
