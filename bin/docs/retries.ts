import { taskRetry } from '../../lib/workflow/retries.ts'
import { code } from './markdown.ts'

/** Names that AWS gives have a dot in them. */
const isOfAws = (name: string) => name.includes('.')

export const retriedErrors: readonly string[] = taskRetry.flatMap(({ ErrorEquals }) => ErrorEquals)

/** The section that both the tasks and the errors have. */
export function describeRetries(): string {
  const policies = taskRetry.map((policy) => {
    const { ErrorEquals, IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds, JitterStrategy } = policy
    const jitter = JitterStrategy === 'FULL' ? 'a random part of' : ''
    const lists = [ErrorEquals.filter((name) => !isOfAws(name)), ErrorEquals.filter(isOfAws)]
    const [ours = '', ofAws = ''] = lists.map((list) => list.map(code).join(', '))
    return (
      `After ${ours}, and AWS’s own ${ofAws}, a task is tried again up to ${MaxAttempts} times. The waits are ${jitter} ` +
      `${IntervalSeconds} s, then ${BackoffRate} times as long each time, at most ${MaxDelaySeconds} s. After any other ` +
      'error, or when that was in vain, the nearest Catch takes over: the state’s own, that of a Parallel or Map around it, or ' +
      'that of the state which runs the machine as a child.'
    )
  })
  return ['## Retries', ...policies].join('\n\n')
}
