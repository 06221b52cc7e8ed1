interface ServiceSummary {
  readonly serviceName: string;
  readonly status: string;
  readonly requestCount: number;
  readonly apdex: number;
}

/** More names than this are counted, not listed. */
const MAX_NAMED = 3;
const MULTIPLE_FORMAT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** How the services are, in one sentence; `causes`: of what got worse, which may still be within the limits. */
export function describeHealth(services: readonly ServiceSummary[], causes = 0): string {
  const bad = services.filter(({ status }) => status !== 'healthy');
  const all = services.length === 1 ? 'The one service' : `All ${services.length} services`;
  if (bad.length === 0)
    return `${all} ${services.length === 1 ? 'is' : 'are'} healthy${causes === 0 ? '' : ' by the limits, but something got worse'}.`;
  const names = bad.length <= MAX_NAMED ? `: ${bad.map(({ serviceName }) => serviceName).join(', ')}` : '';
  return `${bad.length} of ${services.length} service${services.length === 1 ? '' : 's'} ${bad.length === 1 ? 'is' : 'are'} degraded${names}.`;
}

/** Apdex of all together, each counting as its requests; undefined without requests, of which nothing can be said. */
export function computeGridApdex(services: readonly ServiceSummary[]): number | undefined {
  const requests = services.reduce((sum, { requestCount }) => sum + requestCount, 0);
  if (requests === 0) return undefined;
  return services.reduce((sum, { apdex, requestCount }) => sum + apdex * requestCount, 0) / requests;
}

/** What is degraded first, then what serves most. */
export function sortWorstFirst<Service extends ServiceSummary>(services: readonly Service[]): readonly Service[] {
  return [...services].sort(
    (a, b) => Number(a.status === 'healthy') - Number(b.status === 'healthy') || b.requestCount - a.requestCount,
  );
}

/** A change in percent against a figure of the time before, and whether it is good: null where neither way is. */
export function describeTrend(
  percent: number,
  before: number,
  worseWhen: 'more' | 'less' | 'neither',
): { readonly text: string; readonly isWorse: boolean | null } {
  if (Math.abs(percent) < 5) return { text: 'as in the hour before', isWorse: null };
  const isMore = percent > 0;
  const isWorse = worseWhen === 'neither' ? null : isMore === (worseWhen === 'more');
  // After nothing, the service calls anything a hundred percent.
  if (before === 0) return { text: 'none in the hour before', isWorse };
  // Large changes read better as a multiple.
  if (percent >= 100) return { text: `${MULTIPLE_FORMAT.format(1 + percent / 100)} times the hour before`, isWorse };
  return { text: `${Math.round(Math.abs(percent))} % ${isMore ? 'above' : 'below'} the hour before`, isWorse };
}

/** What an Apdex means: above 0.9 users are satisfied, below 0.7 they are not. */
export function describeApdex(apdex: number | undefined): { readonly text: string; readonly isWorse: boolean | null } {
  if (apdex === undefined) return { text: 'nothing was asked of the services', isWorse: null };
  if (apdex >= 0.9) return { text: 'users are satisfied', isWorse: false };
  return apdex >= 0.7
    ? { text: 'users have to wait', isWorse: null }
    : { text: 'users are not satisfied', isWorse: true };
}

/** Of alerts and pressure what is well, so that it needs no room of its own; undefined is not known yet. */
export function describeAllClear(alerts: number | undefined, pressed: number | undefined): string {
  const well = [
    ...(alerts === 0 ? ['no alert is open'] : []),
    ...(pressed === 0 ? ['no resource is near its limit'] : []),
  ].join(', and ');
  return well === '' ? '' : `${well.charAt(0).toUpperCase()}${well.slice(1)}.`;
}
