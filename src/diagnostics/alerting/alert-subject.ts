/** What an alert of a rule is about. */
export interface AlertSubject {
  /** "": no service in particular. */
  readonly serviceName: string;
  /** Values of the other fields that a rule on a query groups by; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Identifies a subject among those of one rule. */
export function subjectKey({ serviceName, labels }: AlertSubject): string {
  if (labels === undefined) return serviceName;
  return JSON.stringify([serviceName, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
