import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { useMay } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { EmptyState } from '../../ui/empty-state';
import controls from '../../ui/controls.module.css';
import styles from './overview.module.css';

/** A Grid that knows no service yet, or knew none at the moment that is looked at. */
export function FirstSteps() {
  const { isLive } = useView();
  const links = useLinks();
  const mayInstrument = useMay('Member');
  if (!isLive) return <EmptyState title="No service was known then">Look at a later time.</EmptyState>;
  return (
    <EmptyState title="Nothing has arrived yet">
      Send traces, logs and metrics with OpenTelemetry, and this page fills by itself.{' '}
      {!mayInstrument && 'An Owner or a Member of this Grid finds the steps under Administration.'}
      {mayInstrument && (
        <span className={styles.first}>
          <Link className={controls.primary} to={links.page('administration', { tab: 'instrument' })}>
            Instrument an application
          </Link>
        </span>
      )}
    </EmptyState>
  );
}
