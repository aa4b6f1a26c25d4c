import type { Evidence, ExecutionEvidence } from './evidence.ts'

const MAX_EVENTS = 5_000
/** Step Functions quotas, "maximum input or output size". */
const MAX_BYTES = 262_144

/** Checks that no execution’s history has more than 5,000 events, and no payload more than 256 KB. */
export const boundedHistories = ({ executions }: Evidence): string[] => executions.flatMap(problemsOf)

function problemsOf({ machine, name, history }: ExecutionEvidence): string[] {
  const problems: string[] = []
  if (history.length > MAX_EVENTS) problems.push(`the execution ${name} of ${machine} has ${history.length} events`)
  const largest = Math.max(0, ...history.flatMap(textsIn).map((text) => Buffer.byteLength(text)))
  if (largest > MAX_BYTES) problems.push(`the execution ${name} of ${machine} has a payload of ${largest} bytes`)
  return problems
}

const textsIn = (event: object): string[] =>
  Object.values(event).flatMap((value) => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null && !(value instanceof Date) ? textsIn(value) : []
  })
