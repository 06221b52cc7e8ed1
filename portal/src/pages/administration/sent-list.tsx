import type { Schemas } from '../../api/client';
import { agoText } from '../../format/moments';
import { countText } from '../../format/quantities';
import { Status } from '../../ui/status';
import styles from './administration.module.css';

/** What a key last sent of each signal, and what of it was refused and why. */
export function SentList({ apiKey: { lastSent, lastRefused } }: { readonly apiKey: Schemas['ApiKey'] }) {
  if (lastSent.length === 0 && lastRefused === undefined) return <span className={styles.quiet}>Nothing</span>;
  return (
    <ul className={styles.plain}>
      {lastSent.map(({ signal, at, accepted, rejected, message }) => (
        <li key={signal}>
          {signal}: {countText(accepted)} accepted, {agoText(at)}
          {rejected > 0 && (
            <div>
              <Status level="warning">{countText(rejected)} rejected</Status> {message}
            </div>
          )}
        </li>
      ))}
      {lastRefused !== undefined && (
        <li>
          <Status level="critical">Refused</Status> {lastRefused.signal ?? ''} {agoText(lastRefused.at)}:{' '}
          {lastRefused.reason}
        </li>
      )}
    </ul>
  );
}
