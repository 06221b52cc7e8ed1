import { resolve } from 'node:path';
import * as parse from './setting-parsers.js';
import type { SettingParser } from './setting-parsers.js';
import { markConfidential, optional, type Setting, withDefault } from './setting.js';
import { SIGN_IN_SETTINGS } from './sign-in-settings.js';

export type { Setting } from './setting.js';

export const PROCESS_ROLES = ['ingest', 'project', 'api'] as const;
/** What a process does: ingest telemetry, project events into read models, serve the API. */
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The smallest limit (bytes) with which a process can do all its work; src/runtime/engines/memory-plan.ts divides it. */
export const MIN_MEMORY_LIMIT = 640 * 2 ** 20;
const MAX_MEMORY_LIMIT = 2 ** 40;

const parsePath: SettingParser<string> = (text) => resolve(text);

/** Every setting of the service; settings.ts reads them from the environment. */
export const SETTINGS = {
  httpPort: withDefault(
    'HTTP_PORT',
    '8080',
    'port of the API, `/live`, `/ready` and `/metrics`; 0: any free port, as for every port',
    parse.port,
  ),
  otlpHttpPort: withDefault('OTLP_HTTP_PORT', '4318', 'port of ingestion; also accepts gRPC', parse.port),
  otlpGrpcPort: withDefault('OTLP_GRPC_PORT', '4317', 'port of ingestion; also accepts HTTP', parse.port),
  otlpAllowedOrigins: withDefault(
    'OTLP_ALLOWED_ORIGINS',
    'none',
    'origins whose browser pages may send telemetry, such as `https://shop.example,https://admin.shop.example`',
    parse.origins,
  ),
  metricsPort: optional('METRICS_PORT', 'the same as `HTTP_PORT`', 'serves `/metrics` on a separate port', parse.port),
  bindAddress: withDefault('BIND_ADDRESS', '127.0.0.1', 'interface to listen on', parse.address),
  tlsCertFile: optional(
    'TLS_CERT_FILE',
    'none',
    'certificate chain (PEM): all ports then use TLS 1.2 or newer; reloaded when the file changes and on SIGHUP',
    parsePath,
  ),
  tlsKeyFile: optional('TLS_KEY_FILE', 'none', 'private key of `TLS_CERT_FILE` (PEM, without passphrase)', parsePath),
  trustedProxies: withDefault(
    'TRUSTED_PROXIES',
    'none',
    'addresses and networks of proxies, such as `10.0.0.5,fd00::/8`: only their headers about client address and https are trusted',
    parse.networks,
  ),
  connectionsPerAddress: withDefault(
    'CONNECTIONS_PER_ADDRESS',
    '6000',
    'connections that one address (IPv6: one /64) may hold open to the API, and as many to ingestion; beyond that, a new one closes the one that has been idle for longest. Does not apply to `TRUSTED_PROXIES`. 0: no limit',
    parse.wholeNumber(0, 1_000_000),
  ),
  publicUrl: withDefault(
    'PUBLIC_URL',
    'http://127.0.0.1:{HTTP_PORT}',
    'base URL of problem types, of the embedded issuer and of redirects; never taken from the Host header; without a path. The default uses https if `TLS_CERT_FILE` is set',
    parse.siteUrl,
  ),
  dataDir: withDefault(
    'DATA_DIR',
    './data',
    'folder of the embedded stores and of generated secrets (mode 0700)',
    parsePath,
  ),
  eventStoreUrl: markConfidential(
    withDefault(
      'EVENT_STORE_URL',
      parse.EMBEDDED,
      'the event log: `embedded:`, or EventStoreDB 22.6 and newer or KurrentDB at `esdb://user:password@host:2113?tls=true`',
      parse.storeUrl('EventStoreDB', ['esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:']),
    ),
  ),
  readStoreUrl: markConfidential(
    withDefault(
      'READ_STORE_URL',
      parse.EMBEDDED,
      'the store of read models: `embedded:`, or MongoDB 5.0 and newer at `mongodb://host:27017/hindsight?replicaSet=rs0`',
      parse.storeUrl('MongoDB', ['mongodb:', 'mongodb+srv:']),
    ),
  ),
  natsUrl: markConfidential(
    optional(
      'NATS_URL',
      'none',
      'NATS 2.9 and newer, such as `nats://user:password@host:4222`: change hints between processes, and the leases that assign shards to projectors. None: hints stay in the process, and only one process may have the role `project`',
      parse.serverUrls('NATS', ['nats:', 'tls:']),
    ),
  ),
  clusterName: withDefault(
    'CLUSTER_NAME',
    'hindsight',
    'separates installations that share NATS servers',
    parse.matching(/^[\w-]{1,64}$/, '1 to 64 letters, digits, "_" and "-"'),
  ),
  natsReplicas: withDefault(
    'NATS_REPLICAS',
    '1',
    'NATS servers that store the leases: 1, or 3 or 5 in a cluster',
    parse.wholeNumber(1, 5),
  ),
  projectorShares: withDefault(
    'PROJECTOR_SHARES',
    '16',
    'number of shards of Grids that are assigned to projectors: a power of two up to 256, chosen once per installation. Only with MongoDB',
    parse.powerOfTwo(256),
  ),
  storeTimeoutMs: withDefault(
    'STORE_TIMEOUT',
    '2s',
    'how long a call to EventStoreDB or MongoDB may take before it counts as failed: longer for stores that are slow or far away. An append takes at most this long, a read of the API nine tenths of it; `/ready`, connections and heartbeats follow it. Exporters of SDKs give up after 10 s by default; health checks of proxies must wait this long',
    parse.duration(1_000, 60_000),
  ),
  roles: withDefault(
    'ROLES',
    'ingest,project,api',
    'roles of this process; an embedded store requires all of them in one process',
    parse.setOf(PROCESS_ROLES),
  ),
  ...SIGN_IN_SETTINGS,
  bootstrapGridId: optional(
    'BOOTSTRAP_GRID_ID',
    'generated',
    'id of the first Grid; the BOOTSTRAP settings apply only while the event store is empty',
    parse.uuid,
  ),
  bootstrapGridName: withDefault('BOOTSTRAP_GRID_NAME', 'demo', 'name of the first Grid', parse.anyText),
  bootstrapApiKey: markConfidential(
    optional('BOOTSTRAP_API_KEY', 'generated', 'API key of the first Grid, `hs_<keyId>_<secret>`', parse.apiKey),
  ),
  bootstrapOwner: withDefault(
    'BOOTSTRAP_OWNER',
    'owner',
    'user id of the first Owner; with `OIDC_ISSUER` also an e-mail address in lower case, which the provider must have verified',
    parse.anyText,
  ),
  llmBaseUrl: markConfidential(
    optional(
      'LLM_BASE_URL',
      'none',
      'OpenAI-compatible chat endpoint of the assistant, such as `https://llm.example/v1`; none: the built-in analyst answers',
      parse.httpUrl,
    ),
  ),
  llmModel: optional('LLM_MODEL', 'none', 'model to request there; required with `LLM_BASE_URL`', parse.anyText),
  llmApiKey: markConfidential(optional('LLM_API_KEY', 'none', 'its key', parse.secret)),
  speechBaseUrl: markConfidential(
    optional(
      'SPEECH_BASE_URL',
      'none',
      'OpenAI-compatible `/audio/speech` and `/audio/transcriptions`; none: the local engines',
      parse.httpUrl,
    ),
  ),
  speechApiKey: markConfidential(optional('SPEECH_API_KEY', 'none', 'its key', parse.secret)),
  ttsModel: withDefault('TTS_MODEL', 'tts-1', 'model for speech synthesis', parse.anyText),
  sttModel: withDefault('STT_MODEL', 'whisper-1', 'model for speech recognition', parse.anyText),
  rateLimitUserPerMinute: withDefault(
    'RATE_LIMIT_USER_PER_MINUTE',
    '600',
    'API calls of one user per minute; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  rateLimitGridPerMinute: withDefault(
    'RATE_LIMIT_GRID_PER_MINUTE',
    '6000',
    'API calls to one Grid per minute; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  gridCreators: withDefault(
    'GRID_CREATORS',
    'everybody',
    'who may create Grids over the API and in the portal: `everybody`, or ids of users and applications, separated by commas. The operator always may, with `hindsight grids create`',
    parse.everybodyOrList,
  ),
  gridsPerUser: withDefault(
    'GRIDS_PER_USER',
    '20',
    'Grids that one user may create over the API and in the portal; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  keysPerGrid: withDefault(
    'KEYS_PER_GRID',
    '100',
    'API keys that a Grid may have; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  failedCredentialsPerMinute: withDefault(
    'FAILED_CREDENTIALS_PER_MINUTE',
    '3000',
    'invalid keys and tokens from one address (IPv6: one /64) per minute, on API and ingestion; beyond that, credentials that were not verified recently wait in a queue, and invalid ones get 429. Valid ones are always accepted. 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  retentionDays: withDefault(
    'RETENTION_DAYS',
    '7',
    'days that telemetry is retained; 0: unlimited. Administration and usage are always retained',
    parse.wholeNumber(0, 36_500),
  ),
  memoryLimit: optional(
    'MEMORY_LIMIT',
    '90 % of the cgroup memory limit, or `1GiB` without one',
    'memory that the process may use, such as `768MiB` or `2GiB`, divided among requests, caches and threads: larger caches make searches and diagnostics of large Grids faster',
    parse.byteSize(MIN_MEMORY_LIMIT, MAX_MEMORY_LIMIT),
  ),
  smtpUrl: markConfidential(
    optional(
      'SMTP_URL',
      'none',
      'mail server for notifications, such as `smtps://user:password@mail.example:465` or `smtp://mail.example:587`; none: channels of type `email` do not work',
      parse.mailServer,
    ),
  ),
  smtpFrom: withDefault(
    'SMTP_FROM',
    'Hindsight <hindsight@localhost>',
    'sender of e-mail notifications',
    parse.matching(/^[^\r\n]{3,320}$/, 'an e-mail address, such as `Hindsight <alerts@example.com>`'),
  ),
  notifySecret: markConfidential(
    optional(
      'NOTIFY_SECRET',
      'generated into `DATA_DIR` with the embedded log; else required for channels',
      'encrypts addresses and credentials of notification channels in the log, 32 or more characters: the same in all processes, and after a restore',
      parse.longSecret,
    ),
  ),
  notifyPrivateAddresses: withDefault(
    'NOTIFY_PRIVATE_ADDRESSES',
    'refuse',
    '`allow`: channels may call addresses that resolve to loopback, link-local, private or other special ranges',
    parse.choice(['refuse', 'allow']),
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    'info',
    "minimum level of the service's own log, one JSON object per line on stderr: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`",
    parse.choice(LOG_LEVELS),
  ),
  selfOtlpEndpoint: optional(
    'SELF_OTLP_ENDPOINT',
    'none',
    'base address of OTLP over HTTP, such as `http://127.0.0.1:4318`: Hindsight sends its own traces and metrics there, to itself or to another backend',
    parse.httpUrl,
  ),
  selfOtlpApiKey: markConfidential(
    optional(
      'SELF_OTLP_API_KEY',
      'none',
      'API key of the Grid for them; required with `SELF_OTLP_ENDPOINT`. Use a separate Grid',
      parse.apiKey,
    ),
  ),
  production: withDefault(
    'NODE_ENV',
    'development',
    '`production`: the development identity provider never runs',
    (text) => text === 'production',
  ),
} as const satisfies Record<string, Setting<unknown>>;
