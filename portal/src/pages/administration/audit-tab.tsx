import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { agoText, momentText } from '../../format/moments';
import { countText } from '../../format/quantities';
import { useParameters } from '../../time/use-parameters';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/field';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { actionWords, detailLines, sentenceOf } from './audit-words';
import { useAudit } from './use-audit';
import styles from './administration.module.css';

type Entry = Schemas['AuditEntry'];

const COLUMNS: readonly Column<Entry>[] = [
  {
    title: 'When',
    cell: ({ at }) => (
      <time dateTime={at} title={agoText(at)}>
        {momentText(at)}
      </time>
    ),
  },
  { title: 'What', cell: (entry) => sentenceOf(entry) },
  { title: 'Details', cell: ({ details }) => <Details lines={detailLines(details)} /> },
];

/** Whatever the address says, no other number is asked for. */
const PAGE = /^[1-9]\d{0,5}$/;

const pagesOf = (totalCount: number, pageSize: number): number => Math.max(1, Math.ceil(totalCount / pageSize));

/** Who changed what and when, newest first. */
export function AuditTab() {
  const [parameters, change] = useParameters();
  const asked = parameters.get('page') ?? '';
  const page = PAGE.test(asked) ? Number(asked) : 1;
  const audit = useAudit(page);
  return (
    <QueryState query={audit} skeleton={<Skeleton height="20rem" />}>
      {({ entries, totalCount, pageSize }) => (
        <>
          <Shown entries={entries} />
          <nav className={styles.pager} aria-label="Pages of the audit">
            <button
              type="button"
              className={controls.button}
              disabled={page === 1}
              onClick={() => change({ page: String(Math.min(page - 1, pagesOf(totalCount, pageSize))) })}
            >
              Newer
            </button>
            <span>
              Page {countText(page)} of {countText(pagesOf(totalCount, pageSize))}
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
    </QueryState>
  );
}

/** The entries of this page that one wants to see. */
function Shown({ entries }: { readonly entries: readonly Entry[] }) {
  const [parameters, change] = useParameters();
  const [actor, action] = [parameters.get('actor') ?? '', parameters.get('action') ?? ''];
  const shown = entries.filter(
    (entry) => (actor === '' || entry.actor === actor) && (action === '' || entry.action === action),
  );
  return (
    <>
      <div className={styles.line}>
        <Choice
          label="By"
          all="Everybody"
          value={actor}
          options={entries.map((entry) => entry.actor)}
          onChange={(value) => change({ actor: value }, true)}
        />
        <Choice
          label="Action"
          all="All actions"
          value={action}
          options={entries.map((entry) => entry.action)}
          textOf={actionWords}
          onChange={(value) => change({ action: value }, true)}
        />
        {(actor !== '' || action !== '') && (
          <span className={styles.quiet}>
            {countText(shown.length)} of the {countText(entries.length)} entries of this page
          </span>
        )}
      </div>
      {shown.length === 0 ? (
        <EmptyState title="Nothing on this page">Choose other filters, or another page.</EmptyState>
      ) : (
        <DataTable
          label="Audit"
          columns={COLUMNS}
          rows={shown}
          idOf={(entry) => `${entry.at} ${entry.action} ${entry.target} ${JSON.stringify(entry.details)}`}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly textOf?: (option: string) => string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, value, options, textOf = (option) => option, onChange }: ChoiceProps) {
  // What the address asks for stays to be seen, also where this page has none of it.
  const known = [...new Set([...options, value])].filter((option) => option !== '').sort();
  return (
    <Field label={label}>
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
    </Field>
  );
}

/** A few lines; more of them are unfolded. */
function Details({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length <= 3 && lines.every((line) => line.length <= 120)) return <Lines lines={lines} />;
  return (
    <details>
      <summary>
        {countText(lines.length)} {lines.length === 1 ? 'value' : 'values'}
      </summary>
      <Lines lines={lines} />
    </details>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={styles.plain}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
