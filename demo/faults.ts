import { NO_FAULTS, type FaultConditions } from './shop/fault-conditions.js';
import { BAD_CART_VERSION, type Shop } from './shop/shop.js';

/** The parts of API responses that expectations use. */
export interface DiagnosticResponses {
  readonly pressure: { readonly pressurePoints: readonly { readonly type: string; readonly serviceName: string }[] };
  readonly changes: {
    readonly changes: readonly {
      readonly type: string;
      readonly serviceName: string;
      readonly currentVersion?: string;
    }[];
  };
}

/** What a diagnostic other than `/diagnosis` must show. */
export type Expectation = {
  readonly [Name in keyof DiagnosticResponses]: {
    readonly of: Name;
    readonly what: string;
    readonly shows: (answer: DiagnosticResponses[Name]) => boolean;
  };
}[keyof DiagnosticResponses];

export interface Fault {
  readonly name: string;
  /** What happens, as a sentence. */
  readonly story: string;
  /** Responsible services: the first diagnosis must have one of these as `serviceName`. */
  readonly rootCauses: readonly string[];
  /** Diagnostics that show the fault best, as path suffixes. */
  readonly relevantDiagnostics: readonly string[];
  readonly expectations: readonly Expectation[];
  readonly conditions: Partial<FaultConditions>;
  begin?(shop: Shop): void;
  end?(shop: Shop): void;
}

const expectPressure = (type: string, service: string): Expectation => ({
  of: 'pressure',
  what: `${type} of ${service}`,
  shows: ({ pressurePoints }) => pressurePoints.some((point) => point.type === type && point.serviceName === service),
});

export const FAULTS: readonly Fault[] = [
  {
    name: 'slow-dependency',
    story: 'the orders database of checkout takes 350 ms longer for each insert',
    rootCauses: ['checkout', 'orders_db'],
    relevantDiagnostics: ['diagnosis', 'service/checkout', 'services'],
    expectations: [],
    conditions: { slowOrdersDbMs: 350 },
  },
  {
    name: 'error-burst',
    story: 'payment fails four charges of ten: its signing key is rejected',
    rootCauses: ['payment'],
    relevantDiagnostics: ['diagnosis', 'service/payment', 'alerts'],
    expectations: [],
    conditions: { failingCharges: 0.4 },
  },
  {
    name: 'exhausted-pool',
    story: 'inventory leaks connections: nine of the ten in each pool never come back',
    rootCauses: ['inventory'],
    relevantDiagnostics: ['diagnosis', 'pressure', 'service/inventory'],
    expectations: [expectPressure('connection_pool', 'inventory')],
    conditions: { leakedConnections: 9, heldConnectionMs: 70 },
  },
  {
    name: 'bad-deployment',
    story: `cart ${BAD_CART_VERSION} is deployed: it is slow and breaks on old carts`,
    rootCauses: ['cart'],
    relevantDiagnostics: ['diagnosis', 'changes', 'service/cart'],
    expectations: [
      {
        of: 'changes',
        what: `deployment of cart ${BAD_CART_VERSION}`,
        shows: ({ changes }) =>
          changes.some(
            ({ type, serviceName, currentVersion }) =>
              type === 'deployment' && serviceName === 'cart' && currentVersion === BAD_CART_VERSION,
          ),
      },
    ],
    conditions: { badCartRelease: true },
    begin: (shop) => shop.deploy('cart', BAD_CART_VERSION),
    end: (shop) => shop.deploy('cart'),
  },
  {
    name: 'noisy-neighbour',
    story: 'something else takes the CPU of the second instance of payment',
    rootCauses: ['payment'],
    relevantDiagnostics: ['diagnosis', 'pressure', 'service/payment'],
    expectations: [expectPressure('cpu', 'payment')],
    conditions: { noisyPaymentFactor: 25 },
  },
  {
    name: 'network-delay',
    story: 'packets from and to inventory take 150 ms longer',
    rootCauses: ['inventory'],
    relevantDiagnostics: ['diagnosis', 'services', 'trends'],
    expectations: [],
    conditions: { inventoryWireMs: 150 },
  },
];

export function injectFault(fault: Fault, shop: Shop): void {
  Object.assign(shop.conditions, fault.conditions);
  fault.begin?.(shop);
}

export function removeFault(fault: Fault, shop: Shop): void {
  Object.assign(shop.conditions, NO_FAULTS);
  fault.end?.(shop);
}
