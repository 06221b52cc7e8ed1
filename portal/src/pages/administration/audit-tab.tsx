import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { type Column, DataTable } from '../../components/data-table';
import { formatCount } from '../../format/number-format';
import { formatDateTime, formatRelativeTime } from '../../format/time-format';
import { useGrid } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { FormField } from '../../ui/form-field';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { describeAction, describeAuditEntry, formatDetails } from './audit-descriptions';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

type AuditEntry = Schemas['AuditEntry'];

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    cell: ({ at }) => (
      <time dateTime={at} title={formatRelativeTime(at)}>
        {formatDateTime(at)}
      </time>
    ),
  },
  { title: 'What', cell: (entry) => describeAuditEntry(entry) },
  { title: 'Details', cell: ({ details }) => <EntryDetails lines={formatDetails(details)} /> },
];

/** Valid page numbers in the URL. */
const PAGE_NUMBER = /^[1-9]\d{0,5}$/;

const countPages = (totalCount: number, pageSize: number): number => Math.max(1, Math.ceil(totalCount / pageSize));

/** Audit log of the Grid, newest first. */
export function AuditTab() {
  const [parameters, change] = useUrlParameters();
  const pageText = parameters.get('page') ?? '';
  const page = PAGE_NUMBER.test(pageText) ? Number(pageText) : 1;
  const audit = useAuditLog(page);
  return (
    <QueryBoundary query={audit} skeleton={<Skeleton height="20rem" />}>
      {({ entries, totalCount, pageSize }) => (
        <>
          <FilteredEntries entries={entries} />
          <nav className={styles.pager} aria-label="Pages of the audit log">
            <button
              type="button"
              className={controls.button}
              disabled={page === 1}
              onClick={() => change({ page: String(Math.min(page - 1, countPages(totalCount, pageSize))) })}
            >
              Newer
            </button>
            <span>
              Page {formatCount(page)} of {formatCount(countPages(totalCount, pageSize))}
            </span>
            <button
              type="button"
              className={controls.button}
              disabled={page * pageSize >= totalCount}
              onClick={() => change({ page: String(page + 1) })}
            >
              Older
            </button>
          </nav>
        </>
      )}
    </QueryBoundary>
  );
}

/** The entries of a page that match the filters. */
function FilteredEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [parameters, change] = useUrlParameters();
  const [actor, action] = [parameters.get('actor') ?? '', parameters.get('action') ?? ''];
  const matching = entries.filter(
    (entry) => (actor === '' || entry.actor === actor) && (action === '' || entry.action === action),
  );
  return (
    <>
      <div className={styles.line}>
        <FilterSelect
          label="By"
          allLabel="Everyone"
          value={actor}
          options={entries.map((entry) => entry.actor)}
          onChange={(value) => change({ actor: value }, true)}
        />
        <FilterSelect
          label="Action"
          allLabel="All actions"
          value={action}
          options={entries.map((entry) => entry.action)}
          formatOption={describeAction}
          onChange={(value) => change({ action: value }, true)}
        />
        {(actor !== '' || action !== '') && (
          <span className={styles.quiet}>
            {formatCount(matching.length)} of the {formatCount(entries.length)} entries of this page
          </span>
        )}
      </div>
      {matching.length === 0 ? (
        <EmptyState title="No matching entries on this page">Change the filters or go to another page.</EmptyState>
      ) : (
        <DataTable
          label="Audit log"
          columns={AUDIT_COLUMNS}
          rows={matching}
          getRowKey={(entry) => `${entry.at} ${entry.action} ${entry.target} ${JSON.stringify(entry.details)}`}
        />
      )}
    </>
  );
}

interface FilterSelectProps {
  readonly label: string;
  readonly allLabel: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly formatOption?: (option: string) => string;
  readonly onChange: (value: string) => void;
}

function FilterSelect({
  label,
  allLabel,
  value,
  options,
  formatOption = (option) => option,
  onChange,
}: FilterSelectProps) {
  // The selected value stays available, even if no entry of this page has it.
  const choices = [...new Set([...options, value])].filter((option) => option !== '').sort();
  return (
    <FormField label={label}>
      {(controlProps) => (
        <select
          {...controlProps}
          className={controls.select}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{allLabel}</option>
          {choices.map((option) => (
            <option key={option} value={option}>
              {formatOption(option)}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}

/** Details of an entry; long ones are collapsed. */
function EntryDetails({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length <= 3 && lines.every((line) => line.length <= 120)) return <LineList lines={lines} />;
  return (
    <details>
      <summary>
        {formatCount(lines.length)} {lines.length === 1 ? 'value' : 'values'}
      </summary>
      <LineList lines={lines} />
    </details>
  );
}

function LineList({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={styles.plain}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const PAGE_SIZE = 50;

function useAuditLog(page: number) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['audit', gridSecondaryId, page],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/audit', {
          params: { path: { gridSecondaryId }, query: { page, pageSize: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // Always up to date when the tab is opened again.
    staleTime: 0,
  });
}
