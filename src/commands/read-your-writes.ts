import type { Position } from '../streams/event-store.js';
import type { CommandReceipt } from './grids/grid-commands.js';

/** Waits until read models reflect a position. */
export interface VisibilityWaiter {
  /** Resolves when the affected read models have reached the position, or after 2 s. */
  waitForPosition(position: Position): Promise<unknown>;
}

/** Resolves to the receipt once read models reflect the command, or after 2 s: the change is durable in either case. */
export async function waitUntilVisible<D extends CommandReceipt>(
  waiter: VisibilityWaiter,
  command: Promise<D>,
): Promise<D> {
  const receipt = await command;
  await waiter.waitForPosition(receipt.position).catch(() => undefined);
  return receipt;
}
