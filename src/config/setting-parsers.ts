import { isIP } from 'node:net';
import { Secret } from './secret.js';

/** Address of the embedded store in the data folder. */
export const EMBEDDED = 'embedded:';

/** Parses the text of a setting. Throws `InvalidValue` with the expected form. */
export type SettingParser<T> = (text: string) => T;

/**
 * Error of a setting value. The message continues after the setting's name, such as "must be an http(s) address", and
 * never quotes the value: whether it may be shown depends on the setting.
 */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;
/**
 * Form of API keys. Duplicates the pattern in auth/api-key-secret.ts, because settings are read first and import
 * nothing else; a test compares the two.
 */
const API_KEY = /^hs_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{8,256}$/;

export function wholeNumber(min: number, max: number): SettingParser<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidValue(`must be a whole number from ${min} to ${max}`);
  };
}

/** 0 selects any free port. */
export const port = wholeNumber(0, 65_535);

export function matching(pattern: RegExp, description: string): SettingParser<string> {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidValue(`must be ${description}`);
  };
}

const UNIT_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** A size in bytes: a number with a unit, such as 768MiB, 1.5GiB or 2GB. */
export function byteSize(min: number, max: number): SettingParser<number> {
  return (text) => {
    const [, number = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([a-z]{0,3})$/i.exec(text) ?? [];
    const bytes = number === '' ? NaN : Math.floor(Number(number) * (UNIT_BYTES[unit.toLowerCase()] ?? NaN));
    if (bytes >= min && bytes <= max) return bytes;
    throw new InvalidValue(
      `must be a size such as 768MiB, 1.5GiB or 2GB, from ${formatMebibytes(min)} to ${formatMebibytes(max)}`,
    );
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration in ms: a number with a unit, such as 500ms, 2s, 1.5s or 10m. */
export function duration(minMs: number, maxMs: number): SettingParser<number> {
  return (text) => {
    const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h)$/.exec(text) ?? [];
    const ms = number === '' ? NaN : Math.round(Number(number) * UNIT_MS[unit]);
    if (ms >= minMs && ms <= maxMs) return ms;
    throw new InvalidValue(
      `must be a duration such as 500ms, 2s or 10m, from ${formatDuration(minMs)} to ${formatDuration(maxMs)}`,
    );
  };
}

function formatDuration(ms: number): string {
  if (ms > 0 && ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

function formatMebibytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes >= 2 ** 20 ? `${mebibytes / 2 ** 20}TiB` : `${mebibytes}MiB`;
}

export const anyText: SettingParser<string> = (text) => text;
export const secret: SettingParser<Secret> = (text) => new Secret(text);
/** A secret from which a key is derived: a short one could be guessed from data encrypted with it. */
export const longSecret: SettingParser<Secret> = (text) => {
  if (text.length >= 32) return new Secret(text);
  throw new InvalidValue('must have 32 or more characters');
};
export const pathSegment = matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, ".", "_" and "-"');
export const uuid: SettingParser<string> = (text) => matching(UUID, 'a UUID')(text).toLowerCase();
export const apiKey: SettingParser<Secret> = (text) =>
  new Secret(
    matching(
      API_KEY,
      'of the form hs_<keyId>_<secret>, keyId of letters and digits, secret of 8 and more letters, digits, "-" and "_"',
    )(text),
  );

export const address: SettingParser<string> = (text) => {
  if (isIP(text) !== 0) return text;
  return matching(HOST_NAME, 'an IP address or a host name')(text);
};

/** Base URL without trailing slash, so that paths can be appended. */
export const httpUrl: SettingParser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
  if (isPlain && url.username === '' && url.password === '') return url.href.replace(/\/+$/, '');
  throw new InvalidValue('must be an http(s) URL without user name, query and fragment');
};

/** Issuer identifier as it is written: providers differ in whether it ends with a slash. */
export const issuer: SettingParser<string> = (text) => {
  httpUrl(text);
  return text;
};

/** Base URL without a path, because our routes start at the root of the host. */
export const siteUrl: SettingParser<string> = (text) => {
  const url = httpUrl(text);
  if (url === new URL(url).origin) return url;
  throw new InvalidValue('must be an http(s) URL without a path: the API and the portal are at the root of their host');
};

/**
 * Comma-separated origins as browsers send them (RFC 6454); `none` is the empty list. No `*`: each origin must be
 * listed.
 */
export const origins: SettingParser<readonly string[]> = (text) =>
  text === 'none' ? [] : text.split(',').map((part) => parseOrigin(part.trim()));

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`)
    return url.origin;
  throw new InvalidValue('must be a list of origins such as https://shop.example, separated by commas');
}

/** `everybody` is undefined; otherwise texts separated by commas. */
export const everybodyOrList: SettingParser<ReadonlySet<string> | undefined> = (text) => {
  if (text.toLowerCase() === 'everybody') return undefined;
  const ids = text.split(',').map((part) => part.trim());
  if (!ids.includes('')) return new Set(ids);
  throw new InvalidValue('must be "everybody", or ids separated by commas');
};

/** Texts separated by commas. */
export const textList: SettingParser<readonly string[]> = (text) => {
  const texts = text.split(',').map((part) => part.trim());
  if (!texts.includes('')) return texts;
  throw new InvalidValue('must be values separated by commas');
};

/** Scopes separated by spaces (RFC 6749 §3.3), `openid` among them. */
export const scopes: SettingParser<string> = (text) => {
  const names = text.split(/\s+/);
  if (names.includes('openid') && names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)))
    return names.join(' ');
  throw new InvalidValue('must be scopes separated by spaces, with openid among them');
};

const MEMBER_ROLES = ['Guest', 'User', 'Member', 'Owner'] as const;

export interface RoleMapEntry {
  readonly claimValue: string;
  readonly gridId: string;
  readonly role: (typeof MEMBER_ROLES)[number];
}

/** `value=gridId:Role`, separated by commas. A value may contain commas and equals signs, like names of LDAP. */
export const roleMap: SettingParser<readonly RoleMapEntry[]> = (text) => {
  const uuidText = UUID.source.slice(1, -1);
  const entry = new RegExp(`\\s*(\\S.*?)\\s*=\\s*(${uuidText}):(${MEMBER_ROLES.join('|')})\\s*(?:,|$)`, 'giy');
  const entries: RoleMapEntry[] = [];
  let end = 0;
  for (const [found, claimValue = '', gridId = '', role = ''] of text.matchAll(entry)) {
    entries.push({ claimValue, gridId: gridId.toLowerCase(), role: toMemberRole(role) });
    end += found.length;
  }
  if (end === text.length && !text.endsWith(',')) return entries;
  throw new InvalidValue(`must be value=gridId:Role, separated by commas, with a role of ${MEMBER_ROLES.join(', ')}`);
};

function toMemberRole(text: string): RoleMapEntry['role'] {
  const role = MEMBER_ROLES.find((each) => each.toLowerCase() === text.toLowerCase());
  if (role === undefined) throw new TypeError(`${text} is no role`);
  return role;
}

export interface Network {
  readonly address: string;
  /** Prefix length in bits; the full length for a single address. */
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * Comma-separated addresses and networks (RFC 4632, RFC 4291); `none` is the empty list. Host names are rejected
 * because their addresses can change.
 */
export const networks: SettingParser<readonly Network[]> = (text) =>
  text === 'none' ? [] : text.split(',').map((part) => parseNetwork(part.trim()));

function parseNetwork(text: string): Network {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const max = version === 4 ? 32 : 128;
  const bits = length === undefined ? max : Number(length);
  if (version !== 0 && bits <= max) return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
  throw new InvalidValue(
    'must be a list of addresses and networks such as 10.0.0.5,192.168.0.0/16, separated by commas',
  );
}

export function choice<const T extends string>(values: readonly T[]): SettingParser<T> {
  return (text) => {
    const choiceValue = values.find((value) => value === text.toLowerCase());
    if (choiceValue !== undefined) return choiceValue;
    throw new InvalidValue(`must be one of ${values.join(', ')}`);
  };
}

export function setOf<const T extends string>(values: readonly T[]): SettingParser<ReadonlySet<T>> {
  const one = choice(values);
  return (text) => {
    try {
      return new Set(text.split(',').map((part) => one(part.trim())));
    } catch (cause) {
      throw new InvalidValue(`must be a list of ${values.join(', ')}, separated by commas`, { cause });
    }
  };
}

/**
 * Address of a store: `embedded:` or a URL with a known scheme. The adapter parses the rest, which may contain
 * credentials.
 */
export function storeUrl(technology: string, known: readonly string[]): SettingParser<string> {
  return (text) => {
    if (text === EMBEDDED || known.some((scheme) => text.toLowerCase().startsWith(`${scheme}//`))) return text;
    throw new InvalidValue(
      `must be "${EMBEDDED}", or an address of ${technology} that begins with ${known.map((scheme) => `${scheme}//`).join(', ')}`,
    );
  };
}

/** Comma-separated server addresses, each with a known scheme; the adapter parses the rest. */
export function serverUrls(technology: string, known: readonly string[]): SettingParser<string> {
  return (text) => {
    const isKnown = (part: string): boolean =>
      known.some((scheme) => part.trim().toLowerCase().startsWith(`${scheme}//`));
    if (text.split(',').every(isKnown)) return text;
    throw new InvalidValue(
      `must be addresses of ${technology} that begin with ${known.map((scheme) => `${scheme}//`).join(' or ')}, separated by commas`,
    );
  };
}

/** Address of a mail server, with its credentials. */
export const mailServer: SettingParser<Secret> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '') return new Secret(text);
  throw new InvalidValue('must be an address such as smtps://user:password@mail.example:465');
};

/** A power of two, so that shards have equal numbers of partitions. */
export function powerOfTwo(max: number): SettingParser<number> {
  return (text) => {
    const value = wholeNumber(1, max)(text);
    if (Number.isInteger(Math.log2(value))) return value;
    throw new InvalidValue(`must be a power of two from 1 to ${max}`);
  };
}
