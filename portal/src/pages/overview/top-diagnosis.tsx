import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { CulpritLink } from '../../diagnostics/culprit-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import styles from './overview.module.css';

/** The likeliest cause and what speaks for it most, or that it is over; nothing where nothing is wrong. */
export function TopDiagnosis({ diagnosis }: { readonly diagnosis: UseQueryResult<Schemas['Diagnoses']> }) {
  const links = useLinks();
  return (
    <QueryState query={diagnosis} skeleton={null}>
      {({ diagnoses }) => {
        const [first] = diagnoses;
        if (first === undefined) return null;
        const others = diagnoses.length - 1;
        return (
          <Card
            title="Most likely cause"
            className={styles[first.severity]}
            aside={
              <Link to={links.page('diagnosis')}>{others === 0 ? 'Evidence' : `Evidence, and ${others} more`}</Link>
            }
          >
            <p className={styles.cause}>{first.cause}.</p>
            {first.evidence[0] !== undefined && <p className={styles.strongest}>{first.evidence[0]}</p>}
            <p className={styles.facts}>
              <Severity severity={first.severity} />
              <span>{Math.round(first.confidence * 100)} % sure</span>
              <span>
                since <MomentLink at={first.firstDetected} ago />
              </span>
              <span>
                {countText(first.impactedTraceCount)} {first.impactedTraceCount === 1 ? 'trace' : 'traces'} harmed
              </span>
              {first.serviceName !== null && <CulpritLink name={first.serviceName} />}
            </p>
          </Card>
        );
      }}
    </QueryState>
  );
}
