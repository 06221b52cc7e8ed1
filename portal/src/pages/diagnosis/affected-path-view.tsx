import { ArrowRight, Network } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { CulpritLink } from '../../diagnostics/culprit-link';
import { affectedPath } from './affected-path';
import controls from '../../ui/controls.module.css';
import styles from './diagnosis.module.css';

/** How the harm travels: who calls whom, down to the culprit; and the way to see it on the map. */
export function AffectedPath({
  diagnosis: { serviceName, affectedServices },
}: {
  readonly diagnosis: Schemas['Diagnosis'];
}) {
  const { data } = useDiagnostic('services');
  const links = useLinks();
  const columns = affectedPath(serviceName, affectedServices, data?.edges ?? []);
  if (columns.length === 0) return null;
  return (
    <div className={styles.path} role="group" aria-label="Affected path, from callers to the cause">
      {columns.map((names, index) => (
        <Fragment key={names.join(' ')}>
          {index > 0 && <ArrowRight size={18} aria-label="calls" className={styles.arrow} />}
          <ul className={styles.column}>
            {names.map((name) => (
              <li key={name} className={name === serviceName ? styles.culprit : styles.affected}>
                <CulpritLink name={name} />
                {name === serviceName && <span>the cause</span>}
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      {serviceName !== null && (
        <Link className={`${controls.button} ${styles.map}`} to={links.page('map', { cause: serviceName })}>
          <Network size={14} aria-hidden /> Path on the map
        </Link>
      )}
    </div>
  );
}
