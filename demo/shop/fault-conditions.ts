/** What is wrong with the shop just now: the faults write here, the services suffer from it. */
export interface FaultConditions {
  /** Milliseconds that each query of the orders database takes longer. */
  slowOrdersDbMs: number;
  /** Share of charges that the payment service fails, 0 to 1. */
  failingCharges: number;
  /** Connections of the inventory's pool that were never given back. */
  leakedConnections: number;
  /** Milliseconds that inventory holds a connection longer than its query needs it. */
  heldConnectionMs: number;
  /** Whether the cart runs the bad release. */
  badCartRelease: boolean;
  /** How many times slower the second instance of payment works while a neighbour takes its CPU; 1: it has none. */
  noisyPaymentFactor: number;
  /** Milliseconds on the wire, each way, of every call to inventory. */
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
