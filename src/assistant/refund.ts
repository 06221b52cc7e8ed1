import type { Logger } from '../log.js';

/**
 * Does the work, and gives back what was reserved for it where it fails. The failure of the work is what the caller is told;
 * where giving back fails too, the reservation lapses by itself.
 */
export async function refundedOnFailure<T>(log: Pick<Logger, 'warn'>, refund: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    await refund().catch((error: unknown) => log.warn('a reservation of the assistant could not be refunded: it lapses', { error }));
    throw failure;
  }
}
