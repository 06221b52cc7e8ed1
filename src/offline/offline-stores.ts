import type { Operations } from '../cli/operations.js';

/** Stores that no service of this data folder works on, ready to be operated on. */
export interface OfflineStores extends Operations {
  close(): Promise<void>;
}
