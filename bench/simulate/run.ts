import { keptFootprint } from '../footprint/figures.js';
import { figure } from './markdown.js';
import { ASSUMED, monthlyCost, planFor, type Assumptions, type Prices } from './plan.js';
import { scalingTables } from './tables.js';

const PRICES: Prices = { core: 0, node: 0, terabyte: 0, networkTerabyte: 0 };

/** `--rate 2000000 --price.core 20 --log-append-MBs 100`, in any order: the plan for that rate under these assumptions and prices. */
function numbers(given: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = 0; at < given.length; at += 2) {
    const [name, value] = [given[at].replace(/^--/, ''), Number(given[at + 1])];
    if (!(name === 'rate' || name in ASSUMED || name.replace(/^price\./, '') in PRICES) || !Number.isFinite(value)) throw new Error(USAGE);
    found.set(name, value);
  }
  return found;
}

const USAGE = `npm run simulate prints all tables; with one rate or more numbers its plan:
npm run simulate -- --rate 2000000 ${Object.entries(ASSUMED).map(([name, value]) => `[--${name} ${value}]`).join(' ')} ${Object.keys(PRICES).map((name) => `[--price.${name} 0]`).join(' ')}`;

const given = numbers(process.argv.slice(2));
const rate = given.get('rate');
if (rate === undefined && given.size > 0) throw new Error(USAGE);
if (rate === undefined) {
  for (const [name, table] of Object.entries(scalingTables())) console.log(`\n${name}\n\n${table}`);
} else {
  const assumed = withNumbers<Assumptions>(ASSUMED, '');
  const plan = planFor(keptFootprint(), rate, assumed);
  console.log(plan);
  console.log(`a month at these prices: ${figure(monthlyCost(plan, withNumbers<Prices>(PRICES, 'price.'), assumed), 3)}`);
}

function withNumbers<Kind extends object>(defaults: Kind, prefix: string): Kind {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given.get(prefix + name) ?? (value as number)])) as Kind;
}
