/** Result of one check of `doctor`; `remedy` says how to fix a fault. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}
