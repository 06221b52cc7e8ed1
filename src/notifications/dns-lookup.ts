import { Resolver, type LookupAddress, type LookupOptions } from 'node:dns';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Finds all addresses of a name; an error if it has none. */
export type AddressLookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Family = 4 | 6;

/**
 * Asks the name servers of the system, without its table of hosts. The look-up of the system itself occupies one of the
 * four threads that decompression and files of the whole process need, for as long as a name server that a tenant has
 * chosen takes.
 */
export function createDnsLookup(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }),
): AddressLookup {
  const find = (hostname: string, family: Family): Promise<LookupAddress[]> =>
    new Promise((resolve, reject) => {
      const end = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void =>
        error === null ? resolve(addresses.map((address) => ({ address, family }))) : reject(error);
      if (family === 4) resolver.resolve4(hostname, end);
      else resolver.resolve6(hostname, end);
    });
  return (hostname, { family }, callback) => {
    const families: readonly Family[] = family === 4 || family === 6 ? [family] : [4, 6];
    void Promise.allSettled(families.map((each) => find(hostname, each))).then((results) => {
      const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      const failure = results.find((result) => result.status === 'rejected');
      if (addresses.length > 0) callback(null, addresses);
      else callback((failure?.reason ?? new Error('no address')) as NodeJS.ErrnoException, []);
    });
  };
}
