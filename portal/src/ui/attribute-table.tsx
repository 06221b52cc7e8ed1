import type { ReactNode } from 'react';
import styles from './attribute-table.module.css';

export interface Attribute {
  readonly key: string;
  readonly value: string | number;
}

interface AttributeTableProps {
  readonly label: string;
  readonly attributes: readonly Attribute[];
  /** What one can do with an attribute. */
  readonly action?: (attribute: Attribute) => ReactNode;
}

/** Attributes of spans, logs and resources; as text, however long. */
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

/** In the order of their keys. */
export function toSortedAttributes(record: Readonly<Record<string, string | number>>): readonly Attribute[] {
  return Object.entries(record)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
