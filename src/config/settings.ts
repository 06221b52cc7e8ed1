import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse as parseDotenv } from 'dotenv';
import { EMBEDDED, InvalidValue, type SettingParser } from './setting-parsers.js';
import { PROCESS_ROLES, SETTINGS, type Setting } from './setting-definitions.js';

export { Secret } from './secret.js';
export { EMBEDDED } from './setting-parsers.js';
export {
  LOG_LEVELS,
  MIN_MEMORY_LIMIT,
  PROCESS_ROLES,
  SETTINGS,
  type LogLevel,
  type ProcessRole,
  type Setting,
} from './setting-definitions.js';

type SettingsTable = typeof SETTINGS;
type ParsedSetting<S> = S extends { readonly fallback: string; readonly parse: SettingParser<infer T> }
  ? T
  : S extends { readonly parse: SettingParser<infer T> }
    ? T | undefined
    : never;

/** Parsed settings: one member per entry of `SETTINGS`, undefined if a setting without default is absent. */
export type Settings = { readonly [K in keyof SettingsTable]: ParsedSetting<SettingsTable[K]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong setting. The message is one line for the operator: the setting and its expected form. */
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

/** Empty and blank values count as absent, as in `LLM_API_KEY=` of a template. */
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
  const value = readText(env, setting.name);
  const text = value ?? resolveFallback(setting, env);
  if (text === undefined) return undefined;
  try {
    return setting.parse(text);
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    const suffix = setting.confidential ? '' : `, not ${JSON.stringify(text.slice(0, 80))}`;
    throw new SettingsError(setting.name, cause.message + suffix, { cause });
  }
}

/** Parses all settings. Throws `SettingsError` for the first invalid one, in the order of `SETTINGS`. */
export function readSettings(env: Environment): Settings {
  const rows: [string, Setting<unknown>][] = Object.entries(SETTINGS);
  // Each member was created by the parser of its own definition, which the type expresses.
  const settings = Object.fromEntries(
    rows.map(([key, setting]) => [key, parseSetting(setting, env)]),
  ) as unknown as Settings;
  assertOneIdentityProvider(env);
  assertRolesFitStores(settings);
  assertDistinctPorts(settings);
  for (const [one, other] of REQUIRED_TOGETHER) assertGivenTogether(settings, one, other);
  const projectorShares = settings.readStoreUrl === EMBEDDED ? 1 : settings.projectorShares;
  return withBoundPort({ ...settings, projectorShares }, settings.httpPort);
}

/** Embedded stores are accessible to a single process only. */
function assertRolesFitStores({ roles, eventStoreUrl, readStoreUrl }: Settings): void {
  const embedded = [eventStoreUrl, readStoreUrl].includes(EMBEDDED);
  if (!embedded || roles.size === PROCESS_ROLES.length) return;
  throw new SettingsError(
    'ROLES',
    `must be ${PROCESS_ROLES.join(',')} while EVENT_STORE_URL or READ_STORE_URL is "embedded:": an embedded store is accessible to one process only`,
  );
}

/** AUTH_TENANT_ID has a default, so the environment is asked. */
function assertOneIdentityProvider(env: Environment): void {
  const [issuer, ...others] = [SETTINGS.oidcIssuer, SETTINGS.authUrl, SETTINGS.authTenantId].map(({ name }) => name);
  const also = others.find((name) => readText(env, name) !== undefined);
  if (issuer !== undefined && readText(env, issuer) !== undefined && also !== undefined)
    throw new SettingsError(issuer, `must not be set together with ${also}: each names an identity provider`);
}

/** METRICS_PORT may equal HTTP_PORT: `/metrics` then stays on that port. */
function assertDistinctPorts(settings: Settings): void {
  const usedPorts = new Map<number, string>();
  for (const key of ['httpPort', 'otlpHttpPort', 'otlpGrpcPort', 'metricsPort'] as const) {
    const port = settings[key];
    if (port === undefined || port === 0 || (key === 'metricsPort' && port === settings.httpPort)) continue;
    const other = usedPorts.get(port);
    if (other !== undefined) throw new SettingsError(SETTINGS[key].name, `must differ from ${other}, both are ${port}`);
    usedPorts.set(port, SETTINGS[key].name);
  }
}

/** Pairs of which the second is required with the first: one alone would silently have no effect. */
const REQUIRED_TOGETHER = [
  ['llmBaseUrl', 'llmModel'],
  ['tlsCertFile', 'tlsKeyFile'],
  ['tlsKeyFile', 'tlsCertFile'],
  ['selfOtlpEndpoint', 'selfOtlpApiKey'],
  ['selfOtlpApiKey', 'selfOtlpEndpoint'],
  ['oidcAudience', 'oidcIssuer'],
  ['oidcUserClaim', 'oidcIssuer'],
  ['oidcRoleClaim', 'oidcIssuer'],
  ['oidcRoleClaim', 'oidcRoleMap'],
  ['oidcRoleMap', 'oidcRoleClaim'],
] as const;

function assertGivenTogether(settings: Settings, given: keyof Settings, needed: keyof Settings): void {
  if (settings[given] !== undefined && settings[needed] === undefined)
    throw new SettingsError(SETTINGS[needed].name, `must be set together with ${SETTINGS[given].name}`);
}

const publicScheme = ({ tlsCertFile }: Pick<Settings, 'tlsCertFile'>): string =>
  tlsCertFile === undefined ? 'http' : 'https';
const isDefaultPublicUrl = ({ publicUrl, httpPort }: Settings): boolean =>
  [`http://127.0.0.1:${httpPort}`, `https://127.0.0.1:${httpPort}`].includes(publicUrl);

/**
 * Settings after the API has bound its port: HTTP_PORT may have been 0, and a default PUBLIC_URL follows the port and
 * scheme.
 */
export function withBoundPort(settings: Settings, httpPort: number): Settings {
  const publicUrl = isDefaultPublicUrl(settings)
    ? `${publicScheme(settings)}://127.0.0.1:${httpPort}`
    : settings.publicUrl;
  return { ...settings, httpPort, publicUrl };
}

/**
 * The environment merged over the folder's `.env` file; real environment variables win. A missing `.env` is fine; an
 * unreadable one throws `SettingsError`.
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
