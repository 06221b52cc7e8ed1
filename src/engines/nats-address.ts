import { SettingsError } from '../config.js';

/** What `open` makes; an address that it does not take is the setting's fault. */
export function addressed<Link>(open: () => Link): Link {
  try {
    return open();
  } catch (cause) {
    throw new SettingsError('NATS_URL', `cannot be used: ${(cause as Error).message}`, { cause });
  }
}
