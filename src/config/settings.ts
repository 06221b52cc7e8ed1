import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse as parseDotenv } from 'dotenv';
import * as parse from './setting-parsers.js';
import type { SettingParser } from './setting-parsers.js';

export { Secret } from './secret.js';
export const { EMBEDDED } = parse;
export const PROCESS_ROLES = ['ingest', 'project', 'api'] as const;
/** What a process can do: take telemetry in, keep the read models, answer the API. */
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One row of the table of settings. Texts are Markdown: the README's table is made of them. */
export interface Setting<T> {
  /** Name in the environment. */
  readonly name: string;
  /** Text that is parsed when the setting is absent; `{NAME}` stands for another setting. Absent: the value is undefined. */
  readonly fallback?: string;
  /** What the docs print as default where there is no `fallback`. */
  readonly otherwise?: string;
  readonly meaning: string;
  readonly parse: SettingParser<T>;
  /** True: the text never shows in a message, since it may hold credentials. */
  readonly confidential?: boolean;
}

type WithDefault<T> = Setting<T> & { readonly fallback: string };
type Optional<T> = Setting<T> & { readonly otherwise: string };
const withDefault = <T>(name: string, fallback: string, meaning: string, read: SettingParser<T>): WithDefault<T> => ({
  name,
  fallback,
  meaning,
  parse: read,
});
const optional = <T>(name: string, otherwise: string, meaning: string, read: SettingParser<T>): Optional<T> => ({
  name,
  otherwise,
  meaning,
  parse: read,
});
const markConfidential = <S extends Setting<unknown>>(setting: S): S => ({ ...setting, confidential: true });
const parsePath: SettingParser<string> = (text) => resolve(text);

/** Every setting of the service. Nothing else reads the environment. */
export const SETTINGS = {
  httpPort: withDefault(
    'HTTP_PORT',
    '8080',
    'port of the API, `/live`, `/ready` and `/metrics`; 0: any free port, as for every port',
    parse.port,
  ),
  otlpHttpPort: withDefault('OTLP_HTTP_PORT', '4318', 'port of ingestion; takes gRPC too', parse.port),
  otlpGrpcPort: withDefault('OTLP_GRPC_PORT', '4317', 'port of ingestion; takes HTTP too', parse.port),
  otlpAllowedOrigins: withDefault(
    'OTLP_ALLOWED_ORIGINS',
    'none',
    'browser pages from these origins may send telemetry: a list such as `https://shop.example,https://admin.shop.example`',
    parse.origins,
  ),
  metricsPort: optional('METRICS_PORT', 'the same as `HTTP_PORT`', 'moves `/metrics` to a port of its own', parse.port),
  bindAddress: withDefault('BIND_ADDRESS', '127.0.0.1', 'interface to listen on', parse.address),
  tlsCertFile: optional(
    'TLS_CERT_FILE',
    'none',
    'certificate and its chain (PEM): all ports then speak TLS 1.2 or newer; read again when it changes and on SIGHUP',
    parsePath,
  ),
  tlsKeyFile: optional('TLS_KEY_FILE', 'none', 'private key of `TLS_CERT_FILE` (PEM, without passphrase)', parsePath),
  trustedProxies: withDefault(
    'TRUSTED_PROXIES',
    'none',
    'addresses and networks of proxies, such as `10.0.0.5,fd00::/8`: they alone are believed about the address of a client and about https',
    parse.networks,
  ),
  publicUrl: withDefault(
    'PUBLIC_URL',
    'http://127.0.0.1:{HTTP_PORT}',
    'base of problem types, of the embedded issuer and of redirects; never taken from the Host header; without a path. The default begins with https where `TLS_CERT_FILE` is set',
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
      'the log of record: `embedded:`, or EventStoreDB 22.6 and newer or KurrentDB at `esdb://user:password@host:2113?tls=true`',
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
      'NATS 2.9 and newer, such as `nats://user:password@host:4222`: change hints between processes, and the leases by which projectors share the Grids. None: hints stay in the process, and one process alone may have the role `project`',
      parse.serverUrls('NATS', ['nats:', 'tls:']),
    ),
  ),
  clusterName: withDefault(
    'CLUSTER_NAME',
    'hindsight',
    'keeps installations apart that share NATS servers',
    parse.matching(/^[\w-]{1,64}$/, '1 to 64 letters, digits, "_" and "-"'),
  ),
  natsReplicas: withDefault(
    'NATS_REPLICAS',
    '1',
    'servers of NATS that keep the leases: 1, or 3 or 5 of a cluster',
    parse.wholeNumber(1, 5),
  ),
  projectorShares: withDefault(
    'PROJECTOR_SHARES',
    '16',
    'into how many parts the Grids are divided that move between projectors: a power of two up to 256, chosen once for an installation. Only with MongoDB',
    parse.powerOfTwo(256),
  ),
  roles: withDefault(
    'ROLES',
    'ingest,project,api',
    'which of the three this process runs; an embedded store needs all of them in one process',
    parse.setOf(PROCESS_ROLES),
  ),
  authUrl: markConfidential(
    optional(
      'AUTH_URL',
      'the embedded development identity provider',
      'external directory: its issuer is `{AUTH_URL}/{AUTH_TENANT_ID}/v2.0`',
      parse.httpUrl,
    ),
  ),
  authTenantId: withDefault('AUTH_TENANT_ID', 'dev', 'tenant in the issuer', parse.pathSegment),
  authAudience: withDefault('AUTH_AUDIENCE', 'api://iapm-api', 'accepted `aud` of tokens', parse.anyText),
  authAppPermission: withDefault(
    'AUTH_APP_PERMISSION',
    'Grid.Access',
    'value that a client-credentials token must carry in `roles`',
    parse.anyText,
  ),
  portalClientId: withDefault(
    'PORTAL_CLIENT_ID',
    'hindsight-portal',
    'as which client of the directory of `AUTH_URL` the portal signs users in, by authorization code with PKCE; its redirect URI is `{PUBLIC_URL}/portal/callback`',
    parse.anyText,
  ),
  portalClientSecret: markConfidential(
    optional(
      'PORTAL_CLIENT_SECRET',
      'none: a public client',
      'its secret, where the directory asks for one',
      parse.secret,
    ),
  ),
  portalSessionSecret: markConfidential(
    optional(
      'PORTAL_SESSION_SECRET',
      'generated into `DATA_DIR`',
      'what the cookies of the portal are encrypted with, 32 or more characters: the same for all processes that answer the API',
      parse.longSecret,
    ),
  ),
  portalSignOut: withDefault(
    'PORTAL_SIGN_OUT',
    'portal',
    '`provider`: who signs out of the portal is led to the directory of `AUTH_URL` and signed out there too, where it has an `end_session_endpoint`. Register `{PUBLIC_URL}/portal/` there first, as post-logout redirect URI',
    parse.choice(['portal', 'provider']),
  ),
  bootstrapGridId: optional(
    'BOOTSTRAP_GRID_ID',
    'generated',
    'id of the first Grid; the BOOTSTRAP settings count only while the event store is empty',
    parse.uuid,
  ),
  bootstrapGridName: withDefault('BOOTSTRAP_GRID_NAME', 'demo', 'name of the first Grid', parse.anyText),
  bootstrapApiKey: markConfidential(
    optional('BOOTSTRAP_API_KEY', 'generated', 'API key of the first Grid, `hs_<keyId>_<secret>`', parse.apiKey),
  ),
  bootstrapOwner: withDefault('BOOTSTRAP_OWNER', 'owner', 'user id of the first Owner', parse.anyText),
  llmBaseUrl: markConfidential(
    optional(
      'LLM_BASE_URL',
      'none',
      'OpenAI-compatible chat endpoint of the assistant, such as `https://llm.example/v1`; none: the built-in analyst answers',
      parse.httpUrl,
    ),
  ),
  llmModel: optional('LLM_MODEL', 'none', 'model to ask for there; required with `LLM_BASE_URL`', parse.anyText),
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
  ttsModel: withDefault('TTS_MODEL', 'tts-1', 'model that speaks there', parse.anyText),
  sttModel: withDefault('STT_MODEL', 'whisper-1', 'model that listens there', parse.anyText),
  rateLimitUserPerMinute: withDefault(
    'RATE_LIMIT_USER_PER_MINUTE',
    '600',
    'API calls of one user a minute; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  rateLimitGridPerMinute: withDefault(
    'RATE_LIMIT_GRID_PER_MINUTE',
    '6000',
    'API calls into one Grid a minute; 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  failedCredentialsPerMinute: withDefault(
    'FAILED_CREDENTIALS_PER_MINUTE',
    '3000',
    'wrong keys and tokens from one address (IPv6: one /64) a minute, on API and ingestion; then 429 for what has not proven genuine lately. 0: no limit',
    parse.wholeNumber(0, 1_000_000_000),
  ),
  retentionDays: withDefault(
    'RETENTION_DAYS',
    '7',
    'days that telemetry is kept; 0: for ever. Administration and usage are always kept',
    parse.wholeNumber(0, 36_500),
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    'info',
    "least level of the service's own log, one JSON object a line on stderr: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`",
    parse.choice(LOG_LEVELS),
  ),
  selfOtlpEndpoint: optional(
    'SELF_OTLP_ENDPOINT',
    'none',
    'base address of OTLP over HTTP, such as `http://127.0.0.1:4318`: Hindsight sends its own traces and metrics there, to itself or to another',
    parse.httpUrl,
  ),
  selfOtlpApiKey: markConfidential(
    optional(
      'SELF_OTLP_API_KEY',
      'none',
      'API key of the Grid for them; required with `SELF_OTLP_ENDPOINT`. Give it a Grid of its own',
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

type SettingsTable = typeof SETTINGS;
type ParsedSetting<S> = S extends { readonly fallback: string; readonly parse: SettingParser<infer T> }
  ? T
  : S extends { readonly parse: SettingParser<infer T> }
    ? T | undefined
    : never;

/** The settings as values: one member for each row of `SETTINGS`, undefined where a setting without default is absent. */
export type Settings = { readonly [K in keyof SettingsTable]: ParsedSetting<SettingsTable[K]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** One line for the operator: which setting is wrong, and what it should be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(
    readonly setting: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${setting} ${problem}`, options);
  }
}

/** An empty or blank value counts as absent, as in `LLM_API_KEY=` of a template. */
function readText(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}

function resolveFallback(setting: Setting<unknown>, env: Environment): string | undefined {
  return setting.fallback?.replace(/\{(\w+)\}/g, (_, name: string) => {
    const other: Setting<unknown> | undefined = Object.values(SETTINGS).find((row) => row.name === name);
    return readText(env, name) ?? other?.fallback ?? '';
  });
}

function parseSetting(setting: Setting<unknown>, env: Environment): unknown {
  const written = readText(env, setting.name);
  const text = written ?? resolveFallback(setting, env);
  if (text === undefined) return undefined;
  try {
    return setting.parse(text);
  } catch (cause) {
    if (!(cause instanceof parse.InvalidValue)) throw cause;
    const shown = setting.confidential ? '' : `, not ${JSON.stringify(text.slice(0, 80))}`;
    throw new SettingsError(setting.name, cause.message + shown, { cause });
  }
}

/**
 * The settings in this environment.
 * Throws `SettingsError` for the first setting that is wrong, in the order of the table.
 */
export function readSettings(env: Environment): Settings {
  const rows: [string, Setting<unknown>][] = Object.entries(SETTINGS);
  // Each member was made by the parser of its own row, which is what the type says.
  const settings = Object.fromEntries(
    rows.map(([key, setting]) => [key, parseSetting(setting, env)]),
  ) as unknown as Settings;
  assertRolesFitStores(settings);
  assertDistinctPorts(settings);
  for (const [one, other] of REQUIRED_TOGETHER) assertGivenTogether(settings, one, other);
  const projectorShares = settings.readStoreUrl === EMBEDDED ? 1 : settings.projectorShares;
  return withBoundPort({ ...settings, projectorShares }, settings.httpPort);
}

/** The embedded stores belong to one process: a second one could never see them. */
function assertRolesFitStores({ roles, eventStoreUrl, readStoreUrl }: Settings): void {
  const embedded = [eventStoreUrl, readStoreUrl].includes(EMBEDDED);
  if (!embedded || roles.size === PROCESS_ROLES.length) return;
  throw new SettingsError(
    'ROLES',
    `must be ${PROCESS_ROLES.join(',')} while EVENT_STORE_URL or READ_STORE_URL is "embedded:": such a store belongs to one process`,
  );
}

/** METRICS_PORT may repeat HTTP_PORT: `/metrics` then stays where it is. */
function assertDistinctPorts(settings: Settings): void {
  const taken = new Map<number, string>();
  for (const key of ['httpPort', 'otlpHttpPort', 'otlpGrpcPort', 'metricsPort'] as const) {
    const port = settings[key];
    if (port === undefined || port === 0 || (key === 'metricsPort' && port === settings.httpPort)) continue;
    const other = taken.get(port);
    if (other !== undefined) throw new SettingsError(SETTINGS[key].name, `must differ from ${other}, both are ${port}`);
    taken.set(port, SETTINGS[key].name);
  }
}

/** What asks for the second where the first is given: half of it would do nothing, and nobody would be told. */
const REQUIRED_TOGETHER = [
  ['llmBaseUrl', 'llmModel'],
  ['tlsCertFile', 'tlsKeyFile'],
  ['tlsKeyFile', 'tlsCertFile'],
  ['selfOtlpEndpoint', 'selfOtlpApiKey'],
  ['selfOtlpApiKey', 'selfOtlpEndpoint'],
] as const;

function assertGivenTogether(settings: Settings, given: keyof Settings, needed: keyof Settings): void {
  if (settings[given] !== undefined && settings[needed] === undefined)
    throw new SettingsError(
      SETTINGS[needed].name,
      `must be given with ${SETTINGS[given].name}: one is of no use without the other`,
    );
}

const publicScheme = ({ tlsCertFile }: Pick<Settings, 'tlsCertFile'>): string =>
  tlsCertFile === undefined ? 'http' : 'https';
const isDefaultPublicUrl = ({ publicUrl, httpPort }: Settings): boolean =>
  [`http://127.0.0.1:${httpPort}`, `https://127.0.0.1:${httpPort}`].includes(publicUrl);

/**
 * The settings once the API listens: HTTP_PORT may have been 0, and a PUBLIC_URL that was left to its default
 * follows the port, and the scheme that it speaks.
 */
export function withBoundPort(settings: Settings, httpPort: number): Settings {
  const publicUrl = isDefaultPublicUrl(settings)
    ? `${publicScheme(settings)}://127.0.0.1:${httpPort}`
    : settings.publicUrl;
  return { ...settings, httpPort, publicUrl };
}

/**
 * The environment of this process over the `.env` of a folder: what is really set wins.
 * A folder without `.env` is fine; one that cannot be read is a `SettingsError`.
 */
export function readEnvironment(folder: string = process.cwd(), env: Environment = process.env): Environment {
  return { ...readDotenv(resolve(folder, '.env')), ...env };
}

function readDotenv(file: string): Environment {
  try {
    return parseDotenv(readFileSync(file));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new SettingsError('.env', `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
