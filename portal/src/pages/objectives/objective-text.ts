import { formatPercent } from '../../format/number-format';
import type { StatusLevel } from '../../ui/status-badge';
import type { Objective } from './objective-queries';

const STATUSES: Readonly<Record<Objective['status'], { readonly label: string; readonly level: StatusLevel }>> = {
  met: { label: 'Met', level: 'good' },
  burning: { label: 'Burning', level: 'warning' },
  exhausted: { label: 'Missed', level: 'critical' },
  'no-data': { label: 'No data', level: 'unknown' },
};

export const describeStatus = ({ status }: Pick<Objective, 'status'>) => STATUSES[status];

/** What counts as good, in a few words. */
export function describeIndicator({ indicator }: Pick<Objective, 'indicator'>): string {
  const { type, serviceName, operation, thresholdMs, signal, good, all = '' } = indicator;
  if (type === 'query')
    return `${signal ?? ''} where ${good ?? ''}${all.trim() === '' ? '' : `, of those where ${all}`}`;
  const subject = operation === undefined ? `requests of ${serviceName ?? ''}` : `${operation} of ${serviceName ?? ''}`;
  return type === 'latency' ? `${subject} below ${String(thresholdMs)} ms` : `${subject} without error`;
}

/** Such as "99.9 % over 28 days". */
export function describeTarget({
  objective,
  windowDays,
  calendar,
}: Pick<Objective, 'objective' | 'windowDays' | 'calendar'>): string {
  const window = calendar ? (windowDays === 7 ? 'each week' : 'each month') : `over ${String(windowDays)} days`;
  return `${String(objective)} % ${window}`;
}

/** A share with as many decimals as objectives have: 99.987 %. */
export const formatShare = (sli: number | null): string => (sli === null ? '–' : `${String(Number(sli.toFixed(4)))} %`);

export const formatBurnRate = (rate: number): string => `${String(Number(rate.toFixed(rate < 10 ? 2 : 1)))} ×`;

export const formatRemaining = ({ errorBudget }: Pick<Objective, 'errorBudget'>): string =>
  formatPercent(errorBudget.remainingPercent);
