import { Link } from 'react-router';
import { usePageLinks } from '../app/page-links';
import { ServiceLink } from './service-links';
import styles from './components.module.css';

interface AlertSubjectProps {
  readonly subject: {
    readonly serviceName: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

/** What an alert is about: its service and, of a rule on a query or on new errors, its group. */
export function AlertSubject({ subject: { serviceName, labels = {} } }: AlertSubjectProps) {
  const group = Object.entries(labels);
  return (
    <>
      {(serviceName !== '' || group.length === 0) && <ServiceLink name={serviceName} />}
      {group.map(([name, value]) => (
        <div key={name}>
          <span className={styles.name} title={`${name} = ${value}`}>
            {name} = {name === 'error.group' ? <ErrorGroupId id={value} /> : value}
          </span>
        </div>
      ))}
    </>
  );
}

/** The label may also be an attribute of this name, which a query groups by: then it names no error group. */
const ERROR_GROUP_ID = /^[0-9a-f]{32}$/;

function ErrorGroupId({ id }: { readonly id: string }) {
  const links = usePageLinks();
  return ERROR_GROUP_ID.test(id) ? <Link to={links.page(`errors/${id}`)}>{id}</Link> : id;
}
