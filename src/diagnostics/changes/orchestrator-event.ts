/** A record of an orchestrator about one of its objects, as an export of its events has it; "" for what it lacks. */
export interface OrchestratorEvent {
  /** ms since 1970. */
  readonly atMs: number;
  /** Number of records that report the same within one minute; `atMs` is the time of the first, `lastMs` that of the last of them. */
  readonly count: number;
  readonly lastMs: number;
  /** Reason of a Kubernetes event, such as `OOMKilling`; "deployment" for a record of a deployment tool. */
  readonly reason: string;
  /** Kind and name of the object, such as `Pod` and `payment-7d9f8b6c5-x2k4q`. */
  readonly objectKind: string;
  readonly objectName: string;
  /** `service.name`, or the workload that attributes name. */
  readonly serviceName: string;
  /** Version that was deployed, of records of deployment tools. */
  readonly version: string;
  readonly message: string;
  /**
   * What all records that report this same occurrence share, together with its time, such as those of a receiver that
   * lists events repeatedly; "" where each record is an occurrence of its own.
   */
  readonly occurrence: string;
}
