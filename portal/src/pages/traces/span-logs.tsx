import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { preciseText } from '../../format/moments';
import { SeverityWord } from '../logs/severity-word';
import type { TraceInUse } from './use-trace';
import styles from './span-panel.module.css';

/** What scrolls within its frame must be reached by keyboard. */
const SCROLLED = { tabIndex: 0, role: 'region', 'aria-label': 'Text of the log entry' } as const;

/** Ten short lines are what the frame shows on a phone. */
const mayScroll = (body: string): boolean => body.length > 250 || body.split('\n').length > 8;

export function SpanLogs({ logs, spanId }: { readonly logs: TraceInUse['logs']; readonly spanId: string }) {
  const links = useLinks();
  if (logs.length === 0) return <p className={styles.quiet}>The span has written no logs.</p>;
  return (
    <div className="stack">
      <ol className={styles.list}>
        {logs.map(({ timestamp, severityLevel, body }, index) => (
          <li key={`${timestamp} ${index}`} className={styles.entry}>
            <time dateTime={timestamp}>{preciseText(timestamp)}</time> <SeverityWord level={severityLevel} />
            <p {...(mayScroll(body) && SCROLLED)}>{body}</p>
          </li>
        ))}
      </ol>
      <Link to={links.page('logs', { span: spanId })}>Open in logs</Link>
    </div>
  );
}
