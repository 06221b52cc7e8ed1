import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { type Column, DataTable } from '../../components/data-table';
import { formatDateTime, formatRelativeTime } from '../../format/time-format';
import { formatCount } from '../../format/number-format';
import { useUrlParameters } from '../../time/use-url-parameters';
import { EmptyState } from '../../ui/page-states';
import { FormField } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { describeAction, describeAuditEntry, formatDetails } from './audit-descriptions';
import styles from './administration.module.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useGrid } from '../../session/use-session';

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

/** Whatever the address says, no other number is asked for. */
const PAGE_NUMBER = /^[1-9]\d{0,5}$/;

const countPages = (totalCount: number, pageSize: number): number => Math.max(1, Math.ceil(totalCount / pageSize));

/** Who changed what and when, newest first. */
export function AuditTab() {
  const [parameters, change] = useUrlParameters();
  const asked = parameters.get('page') ?? '';
  const page = PAGE_NUMBER.test(asked) ? Number(asked) : 1;
  const audit = useAuditLog(page);
  return (
    <QueryBoundary query={audit} skeleton={<Skeleton height="20rem" />}>
      {({ entries, totalCount, pageSize }) => (
        <>
          <FilteredEntries entries={entries} />
          <nav className={styles.pager} aria-label="Pages of the audit">
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

/** The entries of this page that one wants to see. */
function FilteredEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [parameters, change] = useUrlParameters();
  const [actor, action] = [parameters.get('actor') ?? '', parameters.get('action') ?? ''];
  const shown = entries.filter(
    (entry) => (actor === '' || entry.actor === actor) && (action === '' || entry.action === action),
  );
  return (
    <>
      <div className={styles.line}>
        <FilterSelect
          label="By"
          all="Everybody"
          value={actor}
          options={entries.map((entry) => entry.actor)}
          onChange={(value) => change({ actor: value }, true)}
        />
        <FilterSelect
          label="Action"
          all="All actions"
          value={action}
          options={entries.map((entry) => entry.action)}
          textOf={describeAction}
          onChange={(value) => change({ action: value }, true)}
        />
        {(actor !== '' || action !== '') && (
          <span className={styles.quiet}>
            {formatCount(shown.length)} of the {formatCount(entries.length)} entries of this page
          </span>
        )}
      </div>
      {shown.length === 0 ? (
        <EmptyState title="Nothing on this page">Choose other filters, or another page.</EmptyState>
      ) : (
        <DataTable
          label="Audit"
          columns={AUDIT_COLUMNS}
          rows={shown}
          getRowKey={(entry) => `${entry.at} ${entry.action} ${entry.target} ${JSON.stringify(entry.details)}`}
        />
      )}
    </>
  );
}

interface FilterSelectProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly textOf?: (option: string) => string;
  readonly onChange: (value: string) => void;
}

function FilterSelect({ label, all, value, options, textOf = (option) => option, onChange }: FilterSelectProps) {
  // What the address asks for stays to be seen, also where this page has none of it.
  const known = [...new Set([...options, value])].filter((option) => option !== '').sort();
  return (
    <FormField label={label}>
      {(told) => (
        <select {...told} className={controls.select} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{all}</option>
          {known.map((option) => (
            <option key={option} value={option}>
              {textOf(option)}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}

/** A few lines; more of them are unfolded. */
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
    // Coming back to it, one sees what was done meanwhile.
    staleTime: 0,
  });
}
