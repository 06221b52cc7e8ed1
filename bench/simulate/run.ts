import { loadFootprint } from '../footprint/footprint-file.js';
import { formatFigure } from './markdown-table.js';
import {
  DEFAULT_ASSUMPTIONS,
  computeMonthlyCost,
  createCapacityPlan,
  type Assumptions,
  type Prices,
} from './capacity-plan.js';
import { renderScalingTables } from './scaling-tables.js';

const FREE: Prices = { core: 0, node: 0, terabyte: 0, networkTerabyte: 0 };

const options = (prefix: string, defaults: object): string =>
  Object.entries(defaults)
    .map(([name, value]) => `[--${prefix}${name} ${value}]`)
    .join(' ');

const USAGE = `npm run simulate prints all tables of docs/scaling.md; with a rate it prints the plan for that many spans a second:
npm run simulate -- --rate 2000000 ${options('', DEFAULT_ASSUMPTIONS)} ${options('price.', FREE)}`;

/** Parses numeric options; undefined when one is unknown or not a number. */
function parseNumbers(given: readonly string[]): Map<string, number> | undefined {
  const known = new Set([
    'rate',
    ...Object.keys(DEFAULT_ASSUMPTIONS),
    ...Object.keys(FREE).map((name) => `price.${name}`),
  ]);
  const options = new Map<string, number>();
  for (let at = 0; at < given.length; at += 2) {
    const [name, value] = [given[at].replace(/^--/, ''), Number(given[at + 1])];
    if (!known.has(name) || !(value >= 0)) return undefined;
    options.set(name, value);
  }
  return options;
}

function applyNumbers<Kind extends object>(defaults: Kind, given: ReadonlyMap<string, number>, prefix = ''): Kind {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, given.get(prefix + name) ?? (value as number)]),
  ) as Kind;
}

function printPlan(rate: number, given: ReadonlyMap<string, number>): void {
  const assumed = applyNumbers<Assumptions>(DEFAULT_ASSUMPTIONS, given);
  const plan = createCapacityPlan(loadFootprint(), rate, assumed);
  console.log(plan);
  console.log(
    `a month at these prices: ${formatFigure(computeMonthlyCost(plan, applyNumbers<Prices>(FREE, given, 'price.'), assumed), 3)}`,
  );
}

const given = parseNumbers(process.argv.slice(2));
const rate = given?.get('rate');
if (given !== undefined && rate !== undefined) {
  printPlan(rate, given);
} else if (given?.size === 0) {
  for (const [name, table] of Object.entries(renderScalingTables())) console.log(`\n${name}\n\n${table}`);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
