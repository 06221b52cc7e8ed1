import { isIP } from 'node:net';
import { Secret } from './secret.js';

/** The store in the data folder. */
export const EMBEDDED = 'embedded:';

/** Turns the text of a setting into its value, or throws `InvalidValue` with what the text should have been. */
export type SettingParser<T> = (text: string) => T;

/**
 * Why a text is no value of its setting: reads on after the setting's name, such as "must be an http(s) address".
 * Never quotes the text itself: whether it may be shown is for the setting to say.
 */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;
/**
 * What auth takes for a key: one that it would never accept must not be bootstrapped. It stands in auth/api-keys.ts too,
 * since settings are read before anything else exists and import nothing; a test holds the two together.
 */
const API_KEY = /^hs_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{8,256}$/;

export function wholeNumber(least: number, most: number): SettingParser<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidValue(`must be a whole number from ${least} to ${most}`);
  };
}

/** 0 asks the system for any free port. */
export const port = wholeNumber(0, 65_535);

export function matching(pattern: RegExp, description: string): SettingParser<string> {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidValue(`must be ${description}`);
  };
}

export const anyText: SettingParser<string> = (text) => text;
export const secret: SettingParser<Secret> = (text) => new Secret(text);
/** One that is made into a key: a short one could be guessed from what it has encrypted. */
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

/** Base address, without the slash at its end, so that paths can be appended. */
export const httpUrl: SettingParser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
  if (plain && url.username === '' && url.password === '') return url.href.replace(/\/+$/, '');
  throw new InvalidValue('must be an http(s) address without user, query and fragment');
};

/** The same without a path, since our own paths begin at the root of the host. */
export const siteUrl: SettingParser<string> = (text) => {
  const url = httpUrl(text);
  if (url === new URL(url).origin) return url;
  throw new InvalidValue(
    'must be an http(s) address without a path: the API and the portal are at the root of their host',
  );
};

/**
 * Origins as browsers write them (RFC 6454), separated by commas; the word `none` is the empty list. No `*`: whoever may
 * send telemetry from a page is named.
 */
export const origins: SettingParser<readonly string[]> = (text) =>
  text === 'none' ? [] : text.split(',').map((part) => parseOrigin(part.trim()));

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`)
    return url.origin;
  throw new InvalidValue('must be a list of origins such as https://shop.example, separated by commas');
}

export interface Network {
  readonly address: string;
  /** Leading bits that count; all of them for a single address. */
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Addresses and networks (RFC 4632, RFC 4291), separated by commas; the word `none` is the empty list. Names are refused: they can change. */
export const networks: SettingParser<readonly Network[]> = (text) =>
  text === 'none' ? [] : text.split(',').map((part) => parseNetwork(part.trim()));

function parseNetwork(text: string): Network {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (version !== 0 && bits <= most) return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
  throw new InvalidValue(
    'must be a list of addresses and networks such as 10.0.0.5,192.168.0.0/16, separated by commas',
  );
}

export function choice<const T extends string>(values: readonly T[]): SettingParser<T> {
  return (text) => {
    const found = values.find((value) => value === text.toLowerCase());
    if (found !== undefined) return found;
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

/** Address of a store: `embedded:`, or one whose scheme is known. The rest is for the adapter to read: it may hold credentials. */
export function storeUrl(technology: string, known: readonly string[]): SettingParser<string> {
  return (text) => {
    if (text === EMBEDDED || known.some((scheme) => text.toLowerCase().startsWith(`${scheme}//`))) return text;
    throw new InvalidValue(
      `must be "${EMBEDDED}", or an address of ${technology} that begins with ${known.map((scheme) => `${scheme}//`).join(', ')}`,
    );
  };
}

/** Addresses of servers, separated by commas, each with a known scheme; the rest is for the adapter to read. */
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

/** A power of two, so that partitions can be shared out evenly. */
export function powerOfTwo(most: number): SettingParser<number> {
  return (text) => {
    const value = wholeNumber(1, most)(text);
    if (Number.isInteger(Math.log2(value))) return value;
    throw new InvalidValue(`must be a power of two from 1 to ${most}`);
  };
}
