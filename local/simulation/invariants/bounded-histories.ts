import type { Evidence, ExecutionEvidence } from './evidence.ts'

const MAX_EVENTS = 5_000
/** Step Functions quotas, "maximum input or output size". */
const MAX_BYTES = 262_144
/** In UTF-8. */
const MAX_BYTES_OF_CHARACTER = 3

/** Checks that no execution’s history has more than 5,000 events, and no payload more than 256 KB. */
export const boundedHistories = ({ executions }: Evidence): string[] => executions.flatMap(problemsOf)

function problemsOf({ machine, name, history }: ExecutionEvidence): string[] {
  const problems: string[] = []
  if (history.length > MAX_EVENTS) problems.push(`the execution ${name} of ${machine} has ${history.length} events`)
  const largest = Math.max(0, ...history.map(largestText))
  if (largest > MAX_BYTES) problems.push(`the execution ${name} of ${machine} has a payload of ${largest} bytes`)
  return problems
}

/** Returns the bytes of the largest text in a value. */
function largestText(value: unknown): number {
  if (typeof value === 'string') return value.length < MAX_BYTES / MAX_BYTES_OF_CHARACTER ? 0 : Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0
  let largest = 0
  for (const inner of Object.values(value)) largest = Math.max(largest, largestText(inner))
  return largest
}
