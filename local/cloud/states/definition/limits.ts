/**
 * Maximum bytes of UTF-8 in one input, output, result or set of assigned variables (Step Functions quotas: 256 KiB).
 */
const PAYLOAD_BYTES = 262_144

/** Maximum events of an execution’s history. The last one reports the failure (Step Functions quotas). */
export const HISTORY_EVENTS = 25_000

/** Maximum concurrent iterations of an inline Map (Step Functions: Map state in Inline mode). */
export const MAP_CONCURRENCY = 40

/** Maximum seconds of a wait, timeout or retry interval (Amazon States Language). */
export const SECONDS = 99_999_999

/** Maximum milliseconds until a wait’s Timestamp: 24,855 days (executions recorded on AWS). */
export const WAIT_MS = (2 ** 31 - 1) * 1000

/** Number of finished executions that are kept. AWS keeps 90 days. */
export const FINISHED_EXECUTIONS = 1_000

/** Days after which an execution can no longer be redriven (RedriveExecution). */
export const REDRIVE_DAYS = 14

export const exceedsPayload = (text: string): boolean =>
  text.length * 3 > PAYLOAD_BYTES && Buffer.byteLength(text) > PAYLOAD_BYTES
