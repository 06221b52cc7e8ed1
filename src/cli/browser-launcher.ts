import { spawn } from 'node:child_process';

const OPEN_COMMANDS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  linux: 'xdg-open',
  freebsd: 'xdg-open',
};

/** Opens the address where this system knows how to, without a shell, and does not wait; `failed` is told when it cannot. */
export function openBrowser(address: string, failed: () => void): void {
  const opener = OPEN_COMMANDS[process.platform];
  if (opener === undefined) {
    failed();
    return;
  }
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.once('error', failed);
  child.once('exit', (code) => {
    if (code !== 0) failed();
  });
  child.unref();
}
