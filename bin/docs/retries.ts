import { names } from '../../lib/workflow/names.ts'
import { ownRetries, taskRetry } from '../../lib/workflow/retries.ts'
import { code } from './markdown.ts'

/** Names that AWS gives have a dot in them. */
const isOfAws = (name: string) => name.includes('.')

export const retriedErrors: readonly string[] = taskRetry.flatMap(({ ErrorEquals }) => ErrorEquals)

/** The section that both the tasks and the errors have. */
export function describeRetries(): string {
  const [policy] = taskRetry
  const lists = [policy.ErrorEquals.filter((name) => !isOfAws(name)), policy.ErrorEquals.filter(isOfAws)]
  const [ours = '', ofAws = ''] = lists.map((list) => list.map(code).join(', '))
  const others = Object.entries(ownRetries).map(
    ([task, [own]]) => `${names.state(task)} is tried again up to ${own.MaxAttempts} times. ${describeWaits(own)}`,
  )
  return [
    '## Retries',
    `After ${ours}, and AWS’s own ${ofAws}, a task is tried again up to ${policy.MaxAttempts} times. ` +
      `${describeWaits(policy)} After any other error, or when that was in vain, the nearest Catch takes over: the ` +
      'state’s own, that of a Parallel or Map around it, or that of the state which runs the machine as a child.',
    ...others,
  ].join('\n\n')
}

interface Policy {
  readonly IntervalSeconds: number
  readonly BackoffRate: number
  readonly MaxDelaySeconds: number
}

/** Every policy has full jitter. */
const describeWaits = ({ IntervalSeconds, BackoffRate, MaxDelaySeconds }: Policy) =>
  `The waits are a random part of ${IntervalSeconds} s, then ${BackoffRate} times as long each time, at most ` +
  `${MaxDelaySeconds} s.`
