import { useState } from 'react';
import { DataTable } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { momentText } from '../../format/moments';
import { valueWriter } from '../../format/units';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { BacktestPicture } from './backtest-picture';
import { FiringLanes } from './firing-lanes';
import { firingSummary, lanesOf } from './firings';
import { WATCHABLE } from './rules';
import type { Tried } from './use-backtest';
import styles from './alerts.module.css';

/** When the rule would have fired: in a picture, as a list, and what it would not have noticed. */
export function BacktestResult({ tried }: { readonly tried: Tried }) {
  const {
    rule,
    range,
    answer: { firings, perWeek, missed },
  } = tried;
  const lanes = lanesOf(firings, missed, range);
  const [wanted, choose] = useState<string>();
  const chosen =
    lanes.find(({ serviceName }) => serviceName === wanted)?.serviceName ??
    lanes[0]?.serviceName ??
    rule.serviceName ??
    undefined;
  const write = valueWriter(WATCHABLE.find(({ metric }) => metric === rule.metric)?.unit ?? '');
  return (
    <div className="stack">
      <Card title="When it would have fired">
        <div className="stack">
          <p>
            {firingSummary(firings.length, perWeek, range)}{' '}
            <span className={styles.quiet}>
              {momentText(range.from)} to {momentText(range.to)}.
            </span>
          </p>
          {lanes.length > 0 && <FiringLanes lanes={lanes} range={range} chosen={chosen} onChoose={choose} />}
          {chosen !== undefined && (
            <BacktestPicture
              tried={tried}
              serviceName={chosen}
              bands={lanes.find(({ serviceName }) => serviceName === chosen)?.fired ?? []}
            />
          )}
        </div>
      </Card>
      {firings.length > 0 && (
        <Card title="Firings">
          <DataTable
            label="When the rule would have fired"
            rows={firings}
            idOf={({ serviceName, firedAt }) => `${serviceName} ${firedAt}`}
            columns={[
              { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
              { title: 'From', cell: ({ firedAt }) => <MomentLink at={firedAt} /> },
              {
                title: 'To',
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still fires' : <MomentLink at={resolvedAt} />),
              },
              { title: 'Peak', isNumber: true, cell: ({ peakValue }) => write(peakValue) },
            ]}
          />
        </Card>
      )}
      {missed.length > 0 && (
        <Card title="Alerts that it would have missed">
          <DataTable
            label="Recorded alerts during which the rule would not have fired"
            rows={missed}
            idOf={({ id }) => id}
            columns={[
              { title: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
              { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
              {
                title: 'Rule that fired',
                cell: ({ ruleName, condition }) => (
                  <>
                    {ruleName}: {condition}
                  </>
                ),
              },
              { title: 'From', cell: ({ firedAt }) => <MomentLink at={firedAt} /> },
              {
                title: 'To',
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still fires' : <MomentLink at={resolvedAt} />),
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}
