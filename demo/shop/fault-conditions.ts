/** Fault conditions of the shop: the faults set them, the services read them. */
export interface FaultConditions {
  /** Additional time (ms) of each query of the orders database. */
  slowOrdersDbMs: number;
  /** Fraction of charges that fail, 0 to 1. */
  failingCharges: number;
  /** Connections of the inventory pool that were never returned. */
  leakedConnections: number;
  /** Additional time (ms) for which inventory holds a connection. */
  heldConnectionMs: number;
  /** Whether cart runs the bad release. */
  badCartRelease: boolean;
  /** Factor by which the second payment instance is slower while a neighbour takes its CPU; 1: no neighbour. */
  noisyPaymentFactor: number;
  /** Additional network time (ms) of calls to and from inventory, each way. */
  inventoryWireMs: number;
}

export const NO_FAULTS: Readonly<FaultConditions> = {
  slowOrdersDbMs: 0,
  failingCharges: 0,
  leakedConnections: 0,
  heldConnectionMs: 0,
  badCartRelease: false,
  noisyPaymentFactor: 1,
  inventoryWireMs: 0,
};
