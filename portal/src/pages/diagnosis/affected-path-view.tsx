import { ArrowRight } from 'lucide-react';
import { Fragment } from 'react';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { CulpritLink } from '../../diagnostics/culprit-link';
import { affectedPath } from './affected-path';
import styles from './diagnosis.module.css';

/** How the harm travels: who calls whom, down to the culprit. */
export function AffectedPath({ diagnosis: { serviceName, affectedServices } }: { readonly diagnosis: Schemas['Diagnosis'] }) {
  const { data } = useDiagnostic('services');
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
    </div>
  );
}
