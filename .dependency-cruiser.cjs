'use strict';

/**
 * Who may import whom: the table of modules in docs/architecture.md, executable. Every message names the remedy.
 * test/integration/architecture/import-rules.test.ts plants forbidden imports and expects each found.
 */

const EVERYWHERE = ['errors', 'component', 'thread-memory'];
const LOGGER = 'self-telemetry/logger';
const LOG_PORT = [
  'streams/event-store',
  'streams/damaged-event',
  'streams/log-checker',
  'streams/telemetry-body',
  'streams/stream-names',
  'streams/events/',
];
const LIVE_PORT = ['streams/live/live-feed'];

/**
 * For each module: what it may import beside itself, and of what it may import the types alone.
 * An entry that ends with "/" is a folder, any other a file. A longer name wins over a shorter one that holds it.
 */
const MODULES = {
  'telemetry/': { remedy: 'the vocabulary imports nothing: take what you need as an argument' },
  errors: { remedy: 'errors import nothing' },
  component: { remedy: 'the life cycle imports nothing' },
  'thread-memory': { remedy: 'caches implement its port: it knows none of them' },
  'accounting/': { remedy: 'arithmetic of energy, days and limits takes plain numbers' },
  'scheduling/': {
    may: ['errors'],
    remedy: 'turns know neither what the work is nor who does it: pass it in as a function',
  },
  'diagnostics/': { may: ['telemetry/'], remedy: 'mathematics takes plain data: let a query read it and pass it in' },
  'streams/': {
    may: ['telemetry/', ...EVERYWHERE],
    types: ['accounting/', LOGGER],
    remedy: 'the event log knows no reader of it: let a projection or a policy react to its events',
  },
  'commands/': {
    may: [
      'accounting/',
      'telemetry/',
      'diagnostics/alerting/alert-metrics',
      'diagnostics/alerting/alert-rule-model',
      'diagnostics/alerting/alert-subject',
      'diagnostics/alerting/condition-wording',
      'diagnostics/chart-model',
      'diagnostics/slos/slo-model',
      'diagnostics/diagnostic-results',
      'notifications/notification-model',
      'notifications/label-matching',
      'errors',
      ...LOG_PORT,
    ],
    types: ['diagnostics/'],
    remedy: 'a command decides from its own stream: fold its events, do not ask a read model',
  },
  'notifications/': {
    may: ['streams/events/', 'diagnostics/alerting/condition-wording', 'errors'],
    remedy: 'a message is made from the event that requests it: put what it needs there',
  },
  'read-models/': {
    // What a rollup holds is sketches and bounds: the shapes of diagnostics, with their arithmetic.
    may: ['telemetry/', 'diagnostics/rollups/', ...EVERYWHERE],
    types: ['accounting/', 'diagnostics/', 'streams/event-store', 'streams/events/', LOGGER],
    remedy: 'a read model is what a projection writes and a query reads: move the logic to one of them',
  },
  'projections/': {
    may: ['streams/', 'read-models/', 'accounting/', 'diagnostics/', 'telemetry/', ...EVERYWHERE],
    types: [LOGGER],
    remedy: 'a projection folds events into read models: let a policy act, and a query answer',
  },
  'queries/': {
    may: [
      'read-models/',
      'accounting/',
      'diagnostics/',
      'notifications/label-matching',
      'scheduling/',
      'telemetry/',
      ...EVERYWHERE,
    ],
    remedy: 'a query answers from read models alone: let a projection put what it needs there',
  },
  'policies/': {
    may: [
      'queries/',
      'commands/',
      'notifications/',
      'diagnostics/',
      'scheduling/',
      'telemetry/',
      'self-telemetry/failure-reporter',
      ...EVERYWHERE,
      ...LOG_PORT,
      ...LIVE_PORT,
    ],
    types: [LOGGER, 'read-models/'],
    remedy: 'a policy asks queries and issues commands: add what is missing there',
  },
  'charts/': {
    may: [
      'diagnostics/chart-model',
      'diagnostics/chart-series/chart-series',
      'diagnostics/chart-table',
      'diagnostics/duration-buckets',
      'diagnostics/time-windows',
    ],
    types: ['queries/', 'diagnostics/'],
    remedy: 'a chart is made from the result of a query: take the result as an argument',
  },
  'assistant/': {
    may: [
      'queries/',
      'charts/',
      'commands/',
      'accounting/',
      'scheduling/',
      'diagnostics/alerting/alert-metrics',
      'diagnostics/alerting/condition-wording',
      'diagnostics/time-windows',
      'telemetry/log-severity',
      ...EVERYWHERE,
    ],
    types: ['diagnostics/', 'telemetry/', LOGGER],
    remedy: 'the assistant knows what the API knows: wrap a query as a tool',
  },
  'auth/': {
    may: EVERYWHERE,
    types: ['streams/events/', 'streams/event-store', LOGGER],
    remedy: 'look-ups come in as functions: take one as an argument',
  },
  'self-telemetry/': {
    may: ['telemetry/signals', 'component', 'config/package-version'],
    types: ['streams/event-store', 'streams/events/', 'config/', 'thread-memory'],
    remedy: 'own metrics, traces and logs watch ports from outside: decorate the port',
  },
  'http/': {
    may: [
      'accounting/',
      'commands/',
      'queries/',
      'diagnostics/alerting/alert-metrics',
      'diagnostics/alerting/alert-rule-model',
      'diagnostics/incidents/incident-model',
      'diagnostics/diagnostic-results',
      'diagnostics/chart-model',
      'diagnostics/slos/',
      'diagnostics/chart-series/chart-window',
      'diagnostics/time-windows',
      'charts/',
      'assistant/',
      'auth/',
      'notifications/notification-model',
      'scheduling/',
      'telemetry/',
      ...EVERYWHERE,
      ...LOG_PORT,
      ...LIVE_PORT,
    ],
    types: [
      'self-telemetry/',
      'diagnostics/',
      'read-models/documents/live-diagnostics-documents',
      'read-models/documents/notification-documents',
    ],
    remedy: 'HTTP presents commands and queries: put the work into one of them and call it',
  },
  'operations/': {
    may: [
      'accounting/',
      'auth/',
      'commands/',
      'config/',
      'diagnostics/',
      'projections/',
      'queries/',
      'read-models/',
      'streams/',
      'telemetry/',
      LOGGER,
      ...EVERYWHERE,
    ],
    remedy: 'an operation knows ports: let runtime open the stores and pass them in',
  },
  'runtime/engines/': {
    may: [
      'streams/',
      'read-models/',
      'projections/sharding/',
      'http/limits/',
      'http/adapters/',
      'config/',
      'component',
      'thread-memory',
    ],
    types: [LOGGER],
    remedy: 'engines only choose adapters: put the work into an adapter or its port',
  },
  'runtime/threads/': {
    may: [
      'runtime/engines/',
      'streams/',
      'read-models/',
      'projections/',
      'queries/',
      'charts/',
      'operations/incident-files/',
      'scheduling/',
      'telemetry/',
      'self-telemetry/',
      ...EVERYWHERE,
    ],
    types: ['config/'],
    remedy: 'a thread wires ports to messages: put the work into a module of its own',
  },
  'config/': { remedy: 'settings are read before anything else exists' },
};

/** Those that may import from every module: they put the program together. */
const COMPOSERS = ['runtime/'];

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
  { packages: ['prom-client'], at: ['self-telemetry/prometheus-metrics\\.ts$'] },
  { packages: ['@opentelemetry'], at: ['self-telemetry/adapters/opentelemetry/'] },
  // One connection to NATS a process: hints and leases share it.
  { packages: ['nats'], at: ['streams/live/nats/', 'projections/sharding/adapters/nats/'] },
  { packages: ['pino'], at: ['self-telemetry/logger\\.ts$'] },
  { packages: ['dotenv'], at: ['config/settings\\.ts$'] },
  { packages: ['openai'], at: ['assistant/[^/]+/adapters/openai/'] },
  { packages: ['@modelcontextprotocol/sdk'], at: ['http/mcp/'] },
  { packages: ['tsyringe'], at: ['runtime/'] },
  { packages: ['reflect-metadata'], at: ['runtime/', 'http/requests/'] },
  { packages: ['nodemailer'], at: ['notifications/adapters/smtp/'] },
  { packages: ['zstddec'], at: ['telemetry/'] },
  { packages: ['chart.js', 'chartjs-node-canvas', 'canvas', '@fontsource', 'd3-time-format'], at: ['charts/'] },
  { packages: ['commander', 'cli-progress'], at: ['cli/'] },
  // Child processes run what must not run in ours: untrusted files, and programs under other licences.
  // The command line opens the browser of whoever logs in.
  { packages: ['child_process'], at: ['assistant/speech/adapters/', 'cli/browser-launcher\\.ts$'] },
  { packages: ['@audio'], at: ['assistant/speech/adapters/audio-decode/'] },
  { packages: ['@echogarden/espeak-ng-emscripten'], at: ['assistant/speech/adapters/espeak/module-process'] },
  // Calls functions of C: nothing but the one that gives memory back.
  { packages: ['koffi'], at: ['runtime/native-memory'] },
  { packages: ['rxjs'], at: ['streams/', 'projections/', 'policies/', 'http/live'] },
  // Typed calls between threads are wired in runtime. Adapters start the worker that owns their connection, the live feed
  // hands hints to every thread, and the validator of OTLP bodies is a pool.
  {
    packages: ['comlink', 'piscina', 'worker_threads'],
    at: ['runtime/', '[^/]+/adapters/', 'streams/live/', 'http/otlp/'],
  },
];

const asPattern = (entry) => `^src/${entry}${entry.endsWith('/') ? '' : '\\.ts$'}`;
const asPatterns = (entries) => entries.map(asPattern);

/** Folders inside this one that are modules of their own. */
const innerModules = (name) =>
  Object.keys(MODULES).filter((other) => other !== name && name.endsWith('/') && other.startsWith(name));

/** Two rules a module: nothing but the listed, and of the second list the types alone. */
function moduleRules([module, { may = [], types = [], remedy }]) {
  const from = { path: asPattern(module), pathNot: asPatterns(innerModules(module)) };
  const name = module.replace(/\/$/, '');
  const comment = `${name} may import ${[...may, ...types.map((type) => `types of ${type}`)].join(', ') || 'nothing of ours'}. Remedy: ${remedy}.`;
  const rules = [
    {
      name: `module-${name}`,
      severity: 'error',
      comment,
      from,
      to: { path: '^src/', pathNot: asPatterns([module, ...may, ...types]) },
    },
  ];
  if (types.length === 0) return rules;
  const to = { path: asPatterns(types), pathNot: asPatterns([module, ...may]), dependencyTypesNot: ['type-only'] };
  return [
    ...rules,
    {
      name: `module-${name}-types-only`,
      severity: 'error',
      comment: `${comment} Write "import type" where a type is all you need.`,
      from,
      to,
    },
  ];
}

function technologyRule({ packages, at }) {
  const places = at.map((place) => place.replaceAll(/[\\$]/g, '')).join(', ');
  return {
    name: `technology-${packages[0].replace(/^@/, '').replace('/', '-')}`,
    severity: 'error',
    comment: `${packages.join(', ')} may be imported from ${places} alone. Remedy: put what you need behind a port or a function there.`,
    from: { path: '^src/', pathNot: at.map((place) => `^src/${place}`) },
    to: {
      path: packages.map((name) => `(^|node_modules/|^node:)(@types/)?${name}($|/)`),
      dependencyTypesNot: ['local'],
    },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle cannot be read, tested or replaced in parts. Remedy: move what both need into a third file.',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...Object.entries(MODULES).flatMap(moduleRules),
    {
      name: 'module-cli',
      severity: 'error',
      comment: 'The command line works without the web server. Remedy: move what both need into operations or runtime.',
      from: { path: '^src/cli/' },
      to: { path: '^src/http/' },
    },
    {
      name: 'module-unknown',
      severity: 'error',
      comment:
        'This file belongs to no module. Remedy: move it, or write its module into .dependency-cruiser.cjs and docs/architecture.md.',
      from: { path: '^src/', pathNot: asPatterns([...Object.keys(MODULES), ...COMPOSERS, 'cli/']) },
      to: {},
    },
    {
      name: 'composers-are-last',
      severity: 'error',
      comment: 'Composition imports everything, so nothing may import it. Remedy: take what you need as an argument.',
      from: { path: '^src/', pathNot: ['^src/cli/', ...asPatterns(COMPOSERS)] },
      to: { path: asPatterns([...COMPOSERS, 'cli/']) },
    },
    {
      name: 'adapters-behind-ports',
      severity: 'error',
      comment:
        'An adapter is chosen by composition. Remedy: import the port beside the adapters folder and take an instance as an argument.',
      from: { path: '^src/', pathNot: ['/adapters/', ...asPatterns(COMPOSERS)] },
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
      comment:
        'Development packages are not there where the program runs. Remedy: declare the package under dependencies, or do without.',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'declared-packages',
      severity: 'error',
      comment:
        'The import leads to no file, or to a package that package.json does not declare. Remedy: correct the path, or declare the package.',
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
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      mainFields: ['main'],
    },
  },
};
