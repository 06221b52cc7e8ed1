import { readEnvironment, readSettings, SettingsError, type Settings } from '../config.js';

/** Exit status for a setting that is wrong, as sysexits.h has it for configuration errors. */
const EX_CONFIG = 78;

/** Settings of the service on this machine, from the environment and .env. */
export function localSettings(): Settings {
  return readSettings(readEnvironment());
}

/** Runs a command to its exit status: 0 when it answers true, 1 when it answers false or fails, 78 for a wrong setting. */
export async function finish(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`hindsight: ${(error as Error).message}\n`);
    process.exitCode = error instanceof SettingsError ? EX_CONFIG : 1;
  }
}
