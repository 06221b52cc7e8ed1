import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { gridPagePath } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { formatCount } from '../../format/number-format';
import { formatDateTime, formatRelativeTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { FormField, GeneralError, toFormErrors } from '../../ui/form-field';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { StatusBadge } from '../../ui/status-badge';
import { diffLimits, LIMIT_FIELDS, type LimitName, toLimitTexts } from './grid-limits';
import { computeUsedPercent } from './usage-days';
import { useGridLimits, useLastLimitsChange, useOwnUsage, useUpdateGridLimits, useUsageSummary } from './usage-queries';
import controls from '../../ui/controls.module.css';
import meter from '../../ui/meter.module.css';
import styles from './usage.module.css';

type UsageDay = Schemas['UsageOfDay'];

/** Daily usage of the Grid over the days of the time view, at least seven. */
export function DailyUsageCard() {
  const summary = useUsageSummary();
  return (
    <Card title="Daily usage of the Grid">
      <QueryBoundary query={summary}>
        {(data) => (
          <>
            <UsageTotals summary={data} />
            {data.dailyBreakdown.length === 0 ? (
              <EmptyState title="No usage in this time range">
                {' '}
                Choose a longer time range, or ask the assistant a question.
              </EmptyState>
            ) : (
              <DataTable
                label="Usage by day"
                columns={createDayColumns(data.dailyBreakdown)}
                rows={data.dailyBreakdown}
                getRowKey={({ date }) => date}
              />
            )}
          </>
        )}
      </QueryBoundary>
    </Card>
  );
}

function UsageTotals({ summary }: { readonly summary: Schemas['UsageSummary'] }) {
  return (
    <dl className={styles.totals}>
      <div>
        <dt>Days (UTC)</dt>
        <dd>
          {summary.from.slice(0, 10)} to {summary.to.slice(0, 10)}
        </dd>
      </div>
      <div>
        <dt>Prompts</dt>
        <dd>{formatCount(summary.totalPrompts)}</dd>
      </div>
      <div>
        <dt>Energy</dt>
        <dd>{formatCount(summary.totalEnergyConsumed)}</dd>
      </div>
      <div>
        <dt>Texts read aloud</dt>
        <dd>{formatCount(summary.totalSpeechSyntheses)}</dd>
      </div>
      <div>
        <dt>Recordings transcribed</dt>
        <dd>{formatCount(summary.totalSpeechRecognitions)}</dd>
      </div>
    </dl>
  );
}

function createDayColumns(days: readonly UsageDay[]): readonly Column<UsageDay>[] {
  const [prompts, energy] = [Math.max(...days.map((day) => day.prompts)), Math.max(...days.map((day) => day.energy))];
  return [
    { title: 'Day (UTC)', cell: ({ date }) => <time dateTime={date}>{date}</time> },
    { title: 'Prompts', cell: (day) => <UsageBar value={day.prompts} max={prompts} /> },
    { title: 'Energy', cell: (day) => <UsageBar value={day.energy} max={energy} /> },
  ];
}

/** A value with a bar relative to the maximum. */
function UsageBar({ value, max }: { readonly value: number; readonly max: number }) {
  return (
    <div className={styles.bar}>
      {formatCount(value)}{' '}
      <div className={meter.meter} aria-hidden>
        <span style={{ width: `${max === 0 ? 0 : computeUsedPercent(value, max)}%` }} />
      </div>
    </div>
  );
}

const OWN_USAGE_COLUMNS: readonly Column<Schemas['UsageInGrid']>[] = [
  {
    title: 'Grid',
    cell: ({ gridSecondaryId, gridName }) => <Link to={gridPagePath(gridSecondaryId, 'usage')}>{gridName}</Link>,
  },
  { title: 'Prompts used', isNumber: true, cell: ({ promptsUsedToday }) => formatCount(promptsUsedToday) },
  {
    title: 'Limit',
    isNumber: true,
    cell: ({ promptLimitToday, enabled }) => (enabled ? formatCount(promptLimitToday) : 'Switched off'),
  },
];

/** The user's prompts today in each Grid. */
export function OwnUsageCard() {
  const own = useOwnUsage();
  return (
    <Card title="Your usage today">
      <QueryBoundary query={own}>
        {({ grids }) => (
          <DataTable
            label="Your prompts today"
            columns={OWN_USAGE_COLUMNS}
            rows={grids}
            getRowKey={({ gridSecondaryId }) => gridSecondaryId}
          />
        )}
      </QueryBoundary>
    </Card>
  );
}

/** Limits of the Grid, editable by Owners. */
export function LimitsCard() {
  const limits = useGridLimits();
  return (
    <Card title="Limits" aside={<LastChange />}>
      <QueryBoundary query={limits}>{(data) => <LimitsForm limits={data} />}</QueryBoundary>
    </Card>
  );
}

function LastChange() {
  const { data } = useLastLimitsChange();
  if (data === undefined || data === null) return null;
  return (
    <span className={styles.quiet}>
      Changed by {data.actor}{' '}
      <time dateTime={data.at} title={formatDateTime(data.at)}>
        {formatRelativeTime(data.at)}
      </time>
    </span>
  );
}

function LimitsForm({ limits }: { readonly limits: Schemas['GridLimits'] }) {
  const [edited, setEdited] = useState<Partial<Record<LimitName, string>>>({});
  const update = useUpdateGridLimits();
  const texts = { ...toLimitTexts(limits), ...edited };
  const changes = diffLimits(limits, texts);
  const errors = toFormErrors(
    update.error,
    LIMIT_FIELDS.map(({ name }) => name),
  );
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate(changes, { onSuccess: () => setEdited({}) });
  };
  return (
    <form className={styles.form} onSubmit={handleSubmit}>
      {LIMIT_FIELDS.map(({ name, label, hint }) => (
        <FormField key={name} label={label} hint={hint} error={errors.forField(name)}>
          {(controlProps) => (
            <input
              {...controlProps}
              className={controls.input}
              type="number"
              step={1}
              required
              value={texts[name]}
              onChange={(event) => setEdited({ ...edited, [name]: event.target.value })}
            />
          )}
        </FormField>
      ))}
      <GeneralError errors={errors} />
      <div className={controls.row}>
        <button
          type="submit"
          className={controls.primary}
          disabled={update.isPending || Object.keys(changes).length === 0}
        >
          Save limits
        </button>
        <span aria-live="polite">
          {update.isSuccess && Object.keys(edited).length === 0 && <StatusBadge level="good">Saved</StatusBadge>}
        </span>
      </div>
    </form>
  );
}
