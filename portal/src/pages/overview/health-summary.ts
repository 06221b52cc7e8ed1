interface ServiceSummary {
  readonly serviceName: string;
  readonly recentStatus: string;
  /** The diagnosis that names it as the cause. */
  readonly causeOf?: object;
  readonly requestCount: number;
  readonly apdex: number;
}

/** If more services are degraded, only their number is given. */
const MAX_NAMED = 3;
const MULTIPLE_FORMAT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Health of all services in a sentence. `causes`: number of diagnosed causes, which may exist while all services are within their thresholds. */
export function describeHealth(services: readonly ServiceSummary[], causes = 0): string {
  if (services.length === 0) return 'No service has received requests, so there is no status.';
  const withStatus = (status: string) => services.filter(({ recentStatus }) => recentStatus === status);
  const [degraded, recovering, unknown] = [withStatus('degraded'), withStatus('recovering'), withStatus('unknown')];
  const back = recovering.length === 0 ? '' : ` ${describeMany(recovering, services.length, 'recovering')}.`;
  if (degraded.length > 0) return `${describeMany(degraded, services.length, 'degraded')}.${back}`;
  if (recovering.length > 0)
    return causes === 0
      ? `No service is degraded any more.${back}`
      : `No service exceeds its thresholds, but a problem was detected.${back}`;
  if (unknown.length === services.length) return 'No service has had requests in the last 5 minutes.';
  const judged = services.length - unknown.length;
  const all = `${judged === 1 ? 'The only service' : `All ${judged} services`}${unknown.length === 0 ? '' : ' with recent requests'}`;
  return `${all} ${judged === 1 ? 'is' : 'are'} ${causes === 0 ? 'healthy' : 'within thresholds, but a problem was detected'}.`;
}

/** Such as "2 of 6 services are degraded: cart, payment". */
function describeMany(some: readonly ServiceSummary[], total: number, status: string): string {
  const names = some.length <= MAX_NAMED ? `: ${some.map(({ serviceName }) => serviceName).join(', ')}` : '';
  return `${some.length} of ${total} service${total === 1 ? '' : 's'} ${some.length === 1 ? 'is' : 'are'} ${status}${names}`;
}

/** Apdex of all services, weighted by requests; undefined without requests. */
export function computeGridApdex(services: readonly ServiceSummary[]): number | undefined {
  const requests = services.reduce((sum, { requestCount }) => sum + requestCount, 0);
  if (requests === 0) return undefined;
  return services.reduce((sum, { apdex, requestCount }) => sum + apdex * requestCount, 0) / requests;
}

const WORST_FIRST = ['degraded', 'recovering', 'healthy', 'unknown'];

/** Causes first, then degraded and recovering services, each by number of requests. */
export function sortWorstFirst<Service extends ServiceSummary>(services: readonly Service[]): readonly Service[] {
  const rank = ({ recentStatus }: ServiceSummary): number => WORST_FIRST.indexOf(recentStatus);
  return [...services].sort(
    (a, b) =>
      Number(b.causeOf !== undefined) - Number(a.causeOf !== undefined) ||
      rank(a) - rank(b) ||
      b.requestCount - a.requestCount,
  );
}

/** Describes a change in percent from the value `before` in the previous hour. `isWorse` is null for insignificant or neutral changes. */
export function describeTrend(
  percent: number,
  before: number,
  worseWhen: 'more' | 'less' | 'neither',
): { readonly text: string; readonly isWorse: boolean | null } {
  if (Math.abs(percent) < 5) return { text: 'same as the previous hour', isWorse: null };
  const isMore = percent > 0;
  const isWorse = worseWhen === 'neither' ? null : isMore === (worseWhen === 'more');
  // From 0, the service reports any increase as 100 %.
  if (before === 0) return { text: 'none in the previous hour', isWorse };
  // Large increases are easier to read as a multiple.
  if (percent >= 100) return { text: `${MULTIPLE_FORMAT.format(1 + percent / 100)} times the previous hour`, isWorse };
  return { text: `${Math.round(Math.abs(percent))} % ${isMore ? 'above' : 'below'} the previous hour`, isWorse };
}

/** Rates an Apdex score: users are satisfied from 0.9 on and frustrated below 0.7. */
export function describeApdex(apdex: number | undefined): { readonly text: string; readonly isWorse: boolean | null } {
  if (apdex === undefined) return { text: 'no requests in this time range', isWorse: null };
  if (apdex >= 0.9) return { text: 'users are satisfied', isWorse: false };
  return apdex >= 0.7
    ? { text: 'users notice delays', isWorse: null }
    : { text: 'users are frustrated', isWorse: true };
}

/** Says in a sentence which of alerts and resources are fine, instead of an empty card for each. Undefined counts are still loading. */
export function describeAllClear(alerts: number | undefined, pressurePoints: number | undefined): string {
  const clear = [
    ...(alerts === 0 ? ['no open alerts'] : []),
    ...(pressurePoints === 0 ? ['no resources close to their limits'] : []),
  ].join(' and ');
  return clear === '' ? '' : `${clear.charAt(0).toUpperCase()}${clear.slice(1)}.`;
}
