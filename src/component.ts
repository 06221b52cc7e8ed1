/** What `check` found: a value, so that health is a map of checks over the components. */
export type Health =
  /** `degraded`: it works, but an operator should look at this. */
  { readonly ok: true; readonly degraded?: string } | { readonly ok: false; readonly reason: string };

/**
 * Something with a lifetime. Constructing a component does no I/O.
 */
export interface Component {
  /** Says whether the component can do its work now. MUST NOT throw and MUST answer within 2 s. */
  check(): Promise<Health>;
  /** Releases only what the component itself opened. MUST be legal before first use, and twice. */
  close(): Promise<void>;
}
