import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { pairText } from '../../format/pairs';
import { MomentLink } from '../../time/moment-link';
import { Attributes, attributesOf } from '../../ui/attributes';
import { CopyButton } from '../../ui/copy-button';
import { QueryState } from '../../ui/query-state';
import controls from '../../ui/controls.module.css';
import { LogContext } from './log-context';
import { MarkedText } from './marked-text';
import { prettyJson } from './pretty';
import type { LogsView } from './use-log-filters';
import { useLogDetail, type LogEntry } from './use-log-search';
import styles from './logs.module.css';

/** All of an entry, and where it leads. */
export function LogDetail({ entry, view }: { readonly entry: LogEntry; readonly view: LogsView }) {
  const { filters, change } = view;
  const attributes = attributesOf(entry.attributes);
  return (
    <div className={styles.detail}>
      <pre className={styles.whole} role="region" tabIndex={0} aria-label="Body">
        <MarkedText text={prettyJson(entry.body) ?? entry.body} words={filters.words} />
      </pre>
      <Ways entry={entry} view={view} />
      <div className={styles.tables}>
        <section>
          <h3>Attributes</h3>
          {attributes.length === 0 ? (
            <p className={styles.quiet}>None.</p>
          ) : (
            <Attributes
              label="Attributes of the entry"
              attributes={attributes}
              action={({ key, value }) =>
                key.includes('=') ? null : (
                  <button
                    type="button"
                    className={styles.add}
                    title={`Only entries with ${key} = ${value}`}
                    onClick={() => change({ attributes: [...filters.attributes, pairText(key, value)] })}
                  >
                    Filter
                  </button>
                )
              }
            />
          )}
        </section>
        <Resource id={entry.id} />
      </div>
      {view.hasContext && <LogContext entry={entry} />}
    </div>
  );
}

function Ways({
  entry: { id, traceId, spanId, serviceName, timestamp, body },
  view: { hasContext, set },
}: {
  readonly entry: LogEntry;
  readonly view: LogsView;
}) {
  const links = useLinks();
  const trace = links.trace(traceId);
  return (
    <div className={controls.row}>
      <ServiceLink name={serviceName} /> <MomentLink at={timestamp} />
      {traceId !== '' && (
        <Link
          className={controls.button}
          to={`${trace}${trace.includes('?') ? '&' : '?'}span=${encodeURIComponent(spanId)}&tab=logs`}
        >
          Open trace
        </Link>
      )}
      <button
        type="button"
        className={controls.button}
        aria-pressed={hasContext}
        onClick={() => set('context', !hasContext)}
      >
        {hasContext ? 'Hide context' : 'Show context'}
      </button>
      <CopyButton text={body} label="Copy body" /> <CopyButton text={id} label="Copy id" />
    </div>
  );
}

function Resource({ id }: { readonly id: string }) {
  return (
    <section>
      <h3>Resource</h3>
      <QueryState query={useLogDetail(id)}>
        {({ resource }) => <Attributes label="Attributes of the resource" attributes={attributesOf(resource)} />}
      </QueryState>
    </section>
  );
}
