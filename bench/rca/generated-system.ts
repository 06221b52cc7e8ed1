/** A system drawn at random: who calls whom, how long everything takes, and how its load changes over time. */
export interface GeneratedSystem {
  /** Callers before those they call; the first one is called from outside. */
  readonly services: readonly GeneratedService[];
  /** Requests from outside in a minute. */
  readonly rateAt: (minute: number) => number;
}

export interface GeneratedService {
  readonly name: string;
  readonly operations: readonly GeneratedOperation[];
  readonly instances: number;
  /** Share of the requests that always fail. */
  readonly usualErrors: number;
  /** A job that makes it several times slower for a minute, every so many minutes; 0: none. */
  readonly jobMinutes: number;
}

export interface GeneratedOperation {
  readonly name: string;
  readonly workMs: number;
  readonly steps: readonly GeneratedStep[];
}

/** Something that an operation waits for: an operation of a later service, or a database that sends nothing. */
export interface GeneratedStep {
  readonly service?: number;
  readonly operation?: number;
  readonly database?: string;
  readonly ms: number;
  readonly probability: number;
}

const MIN_SERVICES = 5;
const MORE_SERVICES = 8;

/** Draws a system. The same random numbers give the same one. */
export function generateSystem(random: () => number): GeneratedSystem {
  const count = MIN_SERVICES + Math.floor(MORE_SERVICES * random());
  const operationCounts = Array.from({ length: count }, () => 1 + Math.floor(3 * random()));
  const services = operationCounts.map((operations, index): GeneratedService => {
    const name = `${toLetters(index + 26)}-${toLetters(Math.floor(26 ** 4 * (1 + random())))}`;
    return {
      name,
      operations: Array.from({ length: operations }, (_, i) => drawOperation(`/${name}/${i}`, index)),
      instances: 1 + Math.floor(3 * random()),
      usualErrors: random() < 0.3 ? 0.03 * random() : 0,
      jobMinutes: random() < 0.15 ? 7 + Math.floor(10 * random()) : 0,
    };
  });
  return { services: connectAll(services), rateAt: drawLoad(random) };

  function drawOperation(name: string, index: number): GeneratedOperation {
    const callees = Math.min(count - 1 - index, Math.floor(3.5 * random()));
    const steps = Array.from({ length: callees }, () => drawCall(index + 1));
    const database = random() < 0.35 ? [{ database: `db-${index}`, ms: 2 + 15 * random(), probability: 1 }] : [];
    return { name, workMs: 1 + 25 * random() ** 2, steps: [...database, ...steps] };
  }

  function drawCall(from: number): GeneratedStep {
    const service = from + Math.floor((count - from) * random());
    const operation = Math.floor(operationCounts[service] * random());
    return { service, operation, ms: 0.5 + 2 * random(), probability: random() < 0.7 ? 1 : 0.2 + 0.7 * random() };
  }

  /** Every service gets a caller, every operation of it one. */
  function connectAll(drawn: readonly GeneratedService[]): GeneratedService[] {
    const called = new Set(
      drawn.flatMap(({ operations }) =>
        operations.flatMap(({ steps }) => steps.map(({ service, operation }) => `${service} ${operation}`)),
      ),
    );
    const missing = drawn.flatMap(({ operations }, service) =>
      operations.flatMap((_, operation) =>
        service === 0 || called.has(`${service} ${operation}`)
          ? []
          : [{ caller: Math.floor(service * random()), service, operation, ms: 0.5 + 2 * random(), probability: 1 }],
      ),
    );
    return drawn.map((each, index) => {
      const [first, ...others] = each.operations;
      const added = missing.filter(({ caller }) => caller === index);
      return { ...each, operations: [{ ...first, steps: [...first.steps, ...added] }, ...others] };
    });
  }
}

/** Letters only: words with digits are parameters in log templates. */
function toLetters(value: number): string {
  const letter = String.fromCharCode(97 + (value % 26));
  return value < 26 ? letter : toLetters(Math.floor(value / 26)) + letter;
}

function drawLoad(random: () => number): (minute: number) => number {
  const base = 15 + 60 * random();
  const swing = 0.4 * random();
  const period = 20 + 60 * random();
  const noise = 0.05 + 0.2 * random();
  return (minute) => base * (1 + swing * Math.sin((2 * Math.PI * minute) / period)) * (1 + noise * (2 * random() - 1));
}
