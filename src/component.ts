/** Result of `check`: plain data, so that overall health is a map from component name to `Health`. */
export type Health =
  /** `degraded`: the component works, but an operator should look at the reason given. */
  { readonly ok: true; readonly degraded?: string } | { readonly ok: false; readonly reason: string };

/** Part of the service with a lifecycle. Constructors do no I/O. */
export interface Component {
  /** Reports whether the component can do its work now. MUST NOT throw, and MUST resolve within the
   * store timeout. */
  check(): Promise<Health>;
  /** Releases the resources that the component itself opened. MUST be safe before first use and when called twice. */
  close(): Promise<void>;
}
