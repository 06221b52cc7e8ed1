import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.js';

export interface DemoArguments {
  readonly help: boolean;
  readonly list: boolean;
  readonly check: boolean;
  /** Faults to inject, in order. */
  readonly faults: readonly Fault[];
  /** Whether one fault is injected and stays. */
  readonly pinned: boolean;
  readonly seed: number;
  /** Seconds of normal traffic at the start, of each fault, and between two faults. */
  readonly warmUp: number;
  readonly on: number;
  readonly off: number;
  /** A Hindsight that already runs; absent: the demo starts its own. */
  readonly elsewhere?: { readonly otlpUrl: string; readonly apiUrl: string };
}

export const USAGE = `npm run demo -- [options]

Starts Hindsight and a simulated shop that breaks in a different way every few minutes.

  --fault <name>     only this fault, and keep it
  --list             print the faults and exit
  --check            check for each fault that /diagnosis names the right service within 30 s; exits 1 if not
  --seed <number>    random seed of the customers (default 1)
  --warm-up <s>      normal traffic at the start (default 90)
  --on <s>           duration of a fault (default 180; with --check 60)
  --off <s>          pause between two faults (default 120)
  --to <url>         do not start Hindsight; send to this OTLP URL, with BOOTSTRAP_API_KEY
  --api <url>        its API, for --check and the printed commands; needs BOOTSTRAP_GRID_ID (default http://127.0.0.1:8080)
  --help`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** Parses the command line. Throws an `Error` with a message for the user. */
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

/** Removes trailing slashes, as paths are appended. */
function parseUrl(name: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(`--${name} must be an address such as http://127.0.0.1:4318`);
  return text.replace(/\/+$/, '');
}

function findFault(name: string): Fault {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined)
    throw new Error(`There is no fault "${name}"; available: ${FAULTS.map((known) => known.name).join(', ')}`);
  return fault;
}

function parseWholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}
