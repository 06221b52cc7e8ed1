'use strict';

/**
 * Who may import whom: the table of rooms in docs/architecture.md, executable. Every message names the remedy.
 * test/architecture/import-rules.test.ts plants forbidden imports and expects each found.
 */

const EVERYWHERE = ['errors', 'component'];
const LOG_PORT = ['streams/event-store', 'streams/damaged-event', 'streams/body-parts', 'streams/stream-names', 'streams/events/'];
const LIVE_PORT = ['streams/live/live-feed'];

/**
 * For each room: what it may import beside itself, and of what it may import the types alone.
 * An entry that ends with "/" is a folder, any other a file.
 */
const ROOMS = {
  'telemetry/': { remedy: 'the vocabulary knows nobody: take what you need as an argument' },
  'errors': { remedy: 'errors know nobody' },
  'component': { remedy: 'the life cycle knows nobody' },
  'accounting/': { remedy: 'arithmetic of energy, days and limits takes plain numbers' },
  'diagnostics/': { may: ['telemetry/'], remedy: 'mathematics takes plain data: let a query read it and pass it in' },
  'streams/': {
    may: ['telemetry/', ...EVERYWHERE],
    types: ['read-models/body-reader', 'accounting/', 'log'],
    remedy: 'the log of record knows no reader of it: let a projection or a policy react to its events',
  },
  'commands/': { may: ['accounting/', 'telemetry/', 'diagnostics/alert-rule', 'diagnostics/chart', 'diagnostics/severity', 'errors', ...LOG_PORT], types: ['diagnostics/'], remedy: 'a command decides from its own stream: fold its events, do not ask a read model' },
  'read-models/': {
    // What a rollup holds is sketches and bounds: the shapes of diagnostics, with their arithmetic.
    may: ['telemetry/', 'diagnostics/sketch', 'diagnostics/packed-buckets', 'diagnostics/rollups', 'diagnostics/buckets', 'diagnostics/exemplars', ...EVERYWHERE],
    types: ['accounting/', 'diagnostics/', 'streams/event-store', 'streams/events/', 'log'],
    remedy: 'a read model is what a projection writes and a query reads: move the logic to one of them',
  },
  'projections/': {
    may: ['streams/', 'read-models/', 'accounting/', 'diagnostics/', 'telemetry/', ...EVERYWHERE],
    types: ['log'],
    remedy: 'a projection folds events into read models: let a policy act, and a query answer',
  },
  'queries/': {
    may: ['read-models/', 'accounting/', 'diagnostics/', 'telemetry/', ...EVERYWHERE],
    remedy: 'a query answers from read models alone: let a projection put what it needs there',
  },
  'policies/': {
    may: ['queries/', 'commands/', 'diagnostics/', 'telemetry/', ...EVERYWHERE, ...LOG_PORT, ...LIVE_PORT],
    types: ['log', 'read-models/'],
    remedy: 'a policy asks queries and issues commands: add what is missing there',
  },
  'charts/': { may: ['diagnostics/chart', 'diagnostics/chart-series/answer', 'diagnostics/timeframe'], types: ['queries/', 'diagnostics/'], remedy: 'a chart is made from an answer: take the answer as an argument' },
  'assistant/': { may: ['queries/', 'charts/', 'commands/', 'accounting/', 'diagnostics/timeframe', 'telemetry/severity', ...EVERYWHERE], types: ['diagnostics/', 'telemetry/', 'log'], remedy: 'the assistant knows what the API knows: wrap a query as a tool' },
  'backup/': { may: ['projections/', 'read-models/', 'streams/', 'log', ...EVERYWHERE], remedy: 'a backup knows ports: let the adapter of a store copy it' },
  'slices/': {
    may: ['accounting/limits', 'commands/', 'diagnostics/alert-rule', 'diagnostics/chart', 'projections/telemetry/recent-requests', 'streams/', 'telemetry/', ...EVERYWHERE],
    remedy: 'a slice is read from the log and judged by deciders: take anything else as an argument',
  },
  'auth/': { may: EVERYWHERE, types: ['streams/events/', 'streams/event-store', 'log'], remedy: 'look-ups come in as functions: take one as an argument' },
  'metrics/': { may: ['telemetry/signals', 'component'], types: ['streams/event-store'], remedy: 'metrics measure ports from outside: decorate the port' },
  'tracing/': { may: ['component'], types: ['streams/event-store', 'streams/events/', 'metrics/', 'log'], remedy: 'tracing watches ports from outside: decorate the port' },
  'http/': {
    may: ['accounting/', 'commands/', 'queries/', 'diagnostics/alert-rule', 'diagnostics/severity', 'diagnostics/chart', 'diagnostics/chart-series/frame', 'diagnostics/timeframe', 'charts/', 'assistant/', 'auth/', 'telemetry/', ...EVERYWHERE, ...LOG_PORT, ...LIVE_PORT],
    types: ['log', 'metrics/', 'tracing/tracer', 'diagnostics/', 'read-models/live-diagnostics'],
    remedy: 'HTTP presents commands and queries: put the work into one of them and call it',
  },
  'engines/': {
    may: ['streams/', 'read-models/', 'projections/leases/', 'http/call-counts', 'http/insured-counts', 'http/adapters/', 'config', 'component'],
    types: ['log'],
    remedy: 'engines only choose adapters: put the work into an adapter or its port',
  },
  'threads/': {
    may: ['engines/', 'streams/', 'read-models/', 'projections/', 'queries/', 'charts/', 'slices/', 'telemetry/', 'log', ...EVERYWHERE],
    types: ['config'],
    remedy: 'a thread wires ports to messages: put the work into a room of its own',
  },
  'log': { may: ['log/'], types: ['config'], remedy: 'the log takes plain fields' },
  'log/': { remedy: 'cleaning is pure' },
  'config': { may: ['config/'], remedy: 'settings are read before anything else exists' },
  'config/': { remedy: 'parsers are pure' },
};

/** The few who may import from every room: they put the program together. */
const COMPOSERS = ['composition', 'service', 'service/', 'offline', 'offline/', 'main'];

/** Each technology belongs to one place, so that it can be replaced there. `at` are patterns of paths below src. */
const TECHNOLOGIES = [
  { packages: ['express', 'helmet', 'rate-limiter-flexible'], at: ['http/'] },
  { packages: ['@fastify/busboy'], at: ['http/steps/'] },
  { packages: ['class-validator'], at: ['http/requests/', 'http/steps/'] },
  { packages: ['@photostructure/sqlite'], at: ['[^/]+/adapters/sqlite/'] },
  { packages: ['@eventstore/db-client'], at: ['streams/adapters/eventstoredb/'] },
  { packages: ['mongodb'], at: ['[^/]+/adapters/mongodb/'] },
  // The embedded provider and the token verifier are both in auth; nobody else sees a JWT.
  { packages: ['jose', 'openid-client', 'oidc-provider'], at: ['auth/'] },
  { packages: ['prom-client'], at: ['metrics/'] },
  { packages: ['@opentelemetry'], at: ['tracing/adapters/opentelemetry/'] },
  // One link to NATS a process: hints and leases share it.
  { packages: ['nats'], at: ['streams/live/nats/', 'projections/leases/adapters/nats/'] },
  { packages: ['pino'], at: ['log\\.ts$'] },
  { packages: ['dotenv'], at: ['config\\.ts$'] },
  { packages: ['openai'], at: ['assistant/[^/]+/adapters/openai/'] },
  { packages: ['@modelcontextprotocol/sdk'], at: ['http/mcp/'] },
  { packages: ['tsyringe'], at: ['composition\\.ts$'] },
  { packages: ['reflect-metadata'], at: ['composition\\.ts$', 'main\\.ts$', 'http/requests/'] },
  { packages: ['zstddec'], at: ['telemetry/'] },
  { packages: ['chart.js', 'chartjs-node-canvas', 'canvas', '@fontsource', 'd3-time-format'], at: ['charts/'] },
  { packages: ['commander', 'cli-progress'], at: ['cli/'] },
  // Child processes run what must not run in ours: strangers' files, and programs under other licences.
  // The command line opens the browser of whoever logs in.
  { packages: ['child_process'], at: ['assistant/speech/adapters/', 'cli/browser\\.ts$'] },
  { packages: ['@audio'], at: ['assistant/speech/adapters/audio-decode/'] },
  { packages: ['@echogarden/espeak-ng-emscripten'], at: ['assistant/speech/adapters/espeak/module-process'] },
  { packages: ['rxjs'], at: ['streams/', 'projections/', 'policies/', 'http/live', 'service\\.ts$'] },
  // Typed calls between threads are wired in threads. Adapters start the worker that owns their connection, the live feed
  // hands hints to every thread, the examiner of OTLP bodies is a pool, and a projection's entry is what its worker runs.
  {
    packages: ['comlink', 'piscina', 'worker_threads'],
    at: ['threads/', 'composition\\.ts$', '[^/]+/adapters/', 'streams/live/', 'http/otlp/', 'projections/[^/]*worker'],
  },
];

const asPattern = (entry) => `^src/${entry}${entry.endsWith('/') ? '' : '\\.ts$'}`;
const asPatterns = (entries) => entries.map(asPattern);

/** Two rules a room: nothing but the listed, and of the second list the types alone. */
function roomRules([room, { may = [], types = [], remedy }]) {
  const from = { path: asPattern(room) };
  const name = room.replace(/\/$/, '');
  const comment = `${name} may import ${[...may, ...types.map((type) => `types of ${type}`)].join(', ') || 'nothing of ours'}. Remedy: ${remedy}.`;
  const rules = [{ name: `room-${name}`, severity: 'error', comment, from, to: { path: '^src/', pathNot: asPatterns([room, ...may, ...types]) } }];
  if (types.length === 0) return rules;
  const to = { path: asPatterns(types), pathNot: asPatterns([room, ...may]), dependencyTypesNot: ['type-only'] };
  return [...rules, { name: `room-${name}-types-only`, severity: 'error', comment: `${comment} Write "import type" where a type is all you need.`, from, to }];
}

function technologyRule({ packages, at }) {
  const places = at.map((place) => place.replaceAll(/[\\$]/g, '')).join(', ');
  return {
    name: `technology-${packages[0].replace(/^@/, '').replace('/', '-')}`,
    severity: 'error',
    comment: `${packages.join(', ')} may be imported from ${places} alone. Remedy: put what you need behind a port or a function there.`,
    from: { path: '^src/', pathNot: at.map((place) => `^src/${place}`) },
    to: { path: packages.map((name) => `(^|node_modules/|^node:)(@types/)?${name}($|/)`), dependencyTypesNot: ['local'] },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle cannot be read, tested or replaced in parts. Remedy: move what both need into a third file.',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...Object.entries(ROOMS).flatMap(roomRules),
    {
      name: 'room-cli',
      severity: 'error',
      comment: 'The command line works without the web server. Remedy: move what both need into commands, queries or composition.',
      from: { path: '^src/cli/' },
      to: { path: '^src/http/' },
    },
    {
      name: 'room-unknown',
      severity: 'error',
      comment: 'This file belongs to no room. Remedy: move it, or write its room into .dependency-cruiser.cjs and docs/architecture.md.',
      from: { path: '^src/', pathNot: asPatterns([...Object.keys(ROOMS), ...COMPOSERS, 'cli/']) },
      to: {},
    },
    {
      name: 'composers-are-last',
      severity: 'error',
      comment: 'Composition knows everybody, so nobody may know it. Remedy: take what you need as an argument.',
      from: { path: '^src/', pathNot: ['^src/cli/', ...asPatterns(COMPOSERS)] },
      to: { path: asPatterns([...COMPOSERS, 'cli/']) },
    },
    {
      name: 'adapters-behind-ports',
      severity: 'error',
      comment: 'An adapter is chosen by composition. Remedy: import the port beside the adapters folder and take an instance as an argument.',
      from: { path: '^src/', pathNot: ['/adapters/', '^src/engines/', '^src/threads/', ...asPatterns(COMPOSERS)] },
      to: { path: '^src/.*/adapters/' },
    },
    {
      name: 'adapters-apart',
      severity: 'error',
      comment: 'Adapters of one port know nothing of those of another. Remedy: move what they share beside the port.',
      from: { path: '^src/(.+)/adapters/' },
      to: { path: '/adapters/', pathNot: '^src/$1/adapters/' },
    },
    ...TECHNOLOGIES.map(technologyRule),
    {
      name: 'program-without-tests',
      severity: 'error',
      comment: 'The program ships without tests and benchmarks. Remedy: move what it needs into src.',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|dist)/' },
    },
    {
      name: 'program-without-development-packages',
      severity: 'error',
      comment: 'Development packages are not there where the program runs. Remedy: declare the package under dependencies, or do without.',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'declared-packages',
      severity: 'error',
      comment: 'The import leads to no file, or to a package that package.json does not declare. Remedy: correct the path, or declare the package.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
  ],
  options: {
    // TypeScript 7 has no parser API: without another parser nothing is cruised, and nothing is found.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], mainFields: ['main'] },
  },
};
