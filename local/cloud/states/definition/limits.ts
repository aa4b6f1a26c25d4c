/** Bytes of UTF-8 in one input, output, result or set of assigned variables (Step Functions quotas: 256 KiB). */
const PAYLOAD_BYTES = 262_144

/** Events in one execution's history; the last is the one that says it failed (Step Functions quotas). */
export const HISTORY_EVENTS = 25_000

/** Iterations of an inline Map that run at once (Step Functions: Map state in Inline mode). */
export const MAP_CONCURRENCY = 40

/** Seconds in a wait, a timeout or a retry interval (Amazon States Language). */
export const SECONDS = 99_999_999

/** Milliseconds until a wait's Timestamp: 24,855 days and a bit (executions recorded on AWS). */
export const WAIT_MS = (2 ** 31 - 1) * 1000

/** Finished executions that are remembered; AWS keeps 90 days. */
export const FINISHED_EXECUTIONS = 1_000

/** Days after which an execution can no longer be redriven (RedriveExecution). */
export const REDRIVE_DAYS = 14

export const exceedsPayload = (text: string): boolean =>
  text.length * 3 > PAYLOAD_BYTES && Buffer.byteLength(text) > PAYLOAD_BYTES
