import { names } from '../../lib/show/document/fields/names.ts'
import { ownRetries, taskRetry, throttledStart } from '../../lib/tasks/retries.ts'
import { code, table } from './markdown.ts'

export const retriedErrors: readonly string[] = taskRetry.flatMap(({ ErrorEquals }) => ErrorEquals)

interface Policy {
  readonly ErrorEquals: readonly string[]
  readonly IntervalSeconds: number
  readonly BackoffRate: number
  readonly MaxAttempts: number
  readonly MaxDelaySeconds: number
}

/** The errors of the general policy: a retry may succeed. */
const transientErrors: readonly string[] = taskRetry.at(-1)?.ErrorEquals ?? []

/** Renders the section on retries: one row for each policy of each group of tasks that are retried alike. */
export function describeRetries(): string {
  const groups = Map.groupBy(Object.entries(ownRetries), ([, own]) => JSON.stringify(own))
  const rows = [
    ...rowsOf('every other task', taskRetry),
    ...[...groups.values()].flatMap((group) =>
      rowsOf(group.map(([task]) => names.state(task)).join(', '), group[0]?.[1] ?? []),
    ),
    ...rowsOf('starts of child executions', [throttledStart]),
  ]
  return [
    '## Retries',
    'Retries are counted per row: a task that was throttled for long is retried after other errors as often as any. After ' +
      'any other error, or after the last retry, the nearest Catch takes over. That is the Catch of the state, of the ' +
      'Parallel or Map around it, or of the state that runs the machine as a child.',
    'Each wait is random, between zero and a limit. The limit begins with the first limit, grows by the factor with each ' +
      'attempt, and stops growing at the last limit.',
    table(['Tasks', 'Retried after', 'Retries', 'First limit', 'Factor', 'Last limit'], rows),
    `**Transient errors** are ${transientErrors.map(code).join(', ')}.`,
  ].join('\n\n')
}

const rowsOf = (tasks: string, policies: readonly Policy[]): string[][] =>
  policies.map((policy, index) => [
    index === 0 ? tasks : '',
    describeErrors(policy, policies),
    String(policy.MaxAttempts),
    `${policy.IntervalSeconds} s`,
    String(policy.BackoffRate),
    `${policy.MaxDelaySeconds} s`,
  ])

/** Names the transient errors together, where the other policies of the list have the ones that are missing. */
function describeErrors({ ErrorEquals }: Policy, policies: readonly Policy[]): string {
  const elsewhere = policies.flatMap((other) => (other.ErrorEquals === ErrorEquals ? [] : other.ErrorEquals))
  const missing = transientErrors.filter((name) => !ErrorEquals.includes(name))
  const others = ErrorEquals.filter((name) => !transientErrors.includes(name)).map(code)
  if (missing.length === 0) return ['transient errors', ...others].join(', ')
  if (others.length > 0 || !missing.every((name) => elsewhere.includes(name))) return ErrorEquals.map(code).join(', ')
  return 'all other transient errors'
}
