/** What an alert of a rule is about. */
export interface AlertSubject {
  /** "": no service in particular. */
  readonly serviceName: string;
  /** Values of the other fields that a rule on a query groups by; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Identifies a subject among those of one rule. Of a rule on new errors it is the error group alone: the service is that of
 * its first exception, and an earlier one of another service may arrive late.
 */
export function subjectKey({ serviceName, labels }: AlertSubject, isOnErrors: boolean): string {
  if (labels === undefined) return serviceName;
  return JSON.stringify([
    isOnErrors ? '' : serviceName,
    ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
