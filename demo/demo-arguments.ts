import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.js';

export interface DemoArguments {
  readonly help: boolean;
  readonly list: boolean;
  readonly check: boolean;
  /** Those that are to come, in order. */
  readonly faults: readonly Fault[];
  /** One fault that stays, once it has begun. */
  readonly pinned: boolean;
  readonly seed: number;
  /** Seconds of normal traffic at first, of each fault, and between two of them. */
  readonly warmUp: number;
  readonly on: number;
  readonly off: number;
  /** A Hindsight that runs elsewhere, instead of one of its own. */
  readonly elsewhere?: { readonly otlpUrl: string; readonly apiUrl: string };
}

export const USAGE = `npm run demo -- [options]

Starts Hindsight and a simulated shop that breaks in a different way every few minutes.

  --fault <name>     only this fault, which stays
  --list             print the faults and end
  --check            for each fault: does /diagnosis name the right service within 30 s? Exits 1 when not
  --seed <number>    other customers (default 1)
  --warm-up <s>      normal traffic at first (default 90)
  --on <s>           length of a fault (default 180; with --check 60)
  --off <s>          calm between two faults (default 120)
  --to <url>         start no Hindsight: send to this address of ingestion, with BOOTSTRAP_API_KEY
  --api <url>        its API, for --check and what is printed; needs BOOTSTRAP_GRID_ID (default http://127.0.0.1:8080)
  --help`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** Throws what to tell the user. */
export function parseDemoArguments(args: readonly string[]): DemoArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: FLAG,
      list: FLAG,
      check: FLAG,
      fault: TEXT,
      seed: TEXT,
      'warm-up': TEXT,
      on: TEXT,
      off: TEXT,
      to: TEXT,
      api: TEXT,
    },
  });
  const { help, list, check, fault } = values;
  return {
    help,
    list,
    check,
    faults: fault === undefined ? FAULTS : [findFault(fault)],
    pinned: fault !== undefined && !check,
    seed: parseWholeNumber('seed', values.seed, 1),
    warmUp: parseWholeNumber('warm-up', values['warm-up'], 90),
    on: parseWholeNumber('on', values.on, check ? 60 : 180),
    off: parseWholeNumber('off', values.off, 120),
    ...(values.to !== undefined && {
      elsewhere: { otlpUrl: parseUrl('to', values.to), apiUrl: parseUrl('api', values.api ?? 'http://127.0.0.1:8080') },
    }),
  };
}

/** Without a slash at its end: paths are added to it. */
function parseUrl(name: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(`--${name} must be an address such as http://127.0.0.1:4318`);
  return text.replace(/\/+$/, '');
}

function findFault(name: string): Fault {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined)
    throw new Error(`there is no fault "${name}"; there are ${FAULTS.map((known) => known.name).join(', ')}`);
  return fault;
}

function parseWholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}
