import type { ReactNode } from 'react';
import styles from './attribute-table.module.css';

export interface Attribute {
  readonly key: string;
  readonly value: string | number;
}

interface AttributeTableProps {
  readonly label: string;
  readonly attributes: readonly Attribute[];
  /** Control beside an attribute, such as a filter link. */
  readonly action?: (attribute: Attribute) => ReactNode;
}

/** Attributes of a span, log entry or resource. */
export function AttributeTable({ label, attributes, action }: AttributeTableProps) {
  return (
    <table className={styles.attributes} aria-label={label}>
      <tbody>
        {attributes.map((attribute) => (
          <tr key={attribute.key}>
            <th scope="row">{attribute.key}</th>
            <td>{String(attribute.value)}</td>
            {action !== undefined && <td className={styles.action}>{action(attribute)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The attributes sorted by key. */
export function toSortedAttributes(record: Readonly<Record<string, string | number>>): readonly Attribute[] {
  return Object.entries(record)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
