import { ServiceLink } from './service-links';
import styles from './components.module.css';

interface AlertSubjectProps {
  readonly subject: {
    readonly serviceName: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

/** What an alert is about: its service and, of a rule on a query, its group. */
export function AlertSubject({ subject: { serviceName, labels = {} } }: AlertSubjectProps) {
  const group = Object.entries(labels);
  return (
    <>
      {(serviceName !== '' || group.length === 0) && <ServiceLink name={serviceName} />}
      {group.map(([name, value]) => (
        <div key={name} className={styles.name} title={`${name} = ${value}`}>
          {name} = {value}
        </div>
      ))}
    </>
  );
}
