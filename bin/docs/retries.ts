import { names } from '../../lib/show/document/fields/names.ts'
import { ownRetries, taskRetry } from '../../lib/tasks/retries.ts'
import { code } from './markdown.ts'

/** Names that AWS gives have a dot in them. */
const isOfAws = (name: string) => name.includes('.')

export const retriedErrors: readonly string[] = taskRetry.flatMap(({ ErrorEquals }) => ErrorEquals)

/** The section that both the tasks and the errors have. */
export function describeRetries(): string {
  const groups = Map.groupBy(Object.entries(ownRetries), ([, own]) => JSON.stringify(own))
  return [
    '## Retries',
    'Each of these is counted apart: a task that was throttled for long is retried after other errors as often as any. After ' +
      'any other error, or when that was in vain, the nearest Catch takes over: the state’s own, that of a Parallel or Map ' +
      'around it, or that of the state which runs the machine as a child.',
    'A task is retried:',
    describeList(taskRetry),
    ...[...groups.values()].flatMap((group) => {
      const [[, list] = ['', taskRetry]] = group
      return [`${new Intl.ListFormat('en-GB').format(group.map(([task]) => names.state(task)))}:`, describeList(list)]
    }),
  ].join('\n\n')
}

interface Policy {
  readonly ErrorEquals: readonly string[]
  readonly IntervalSeconds: number
  readonly BackoffRate: number
  readonly MaxAttempts: number
  readonly MaxDelaySeconds: number
}

const describeList = (policies: readonly Policy[]): string =>
  policies.map((policy) => `- ${describe(policy)}`).join('\n')

/** Every policy has full jitter. */
function describe({ ErrorEquals, IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds }: Policy): string {
  const lists = [ErrorEquals.filter((name) => !isOfAws(name)), ErrorEquals.filter(isOfAws)]
  const [ours = '', ofAws = ''] = lists.map((list) => list.map(code).join(', '))
  const after = [ours, ofAws && `AWS’s own ${ofAws}`].filter(Boolean).join(', and ')
  const often = MaxAttempts === 1 ? 'once' : `up to ${MaxAttempts} times`
  if (MaxAttempts === 1) return `after ${after}: ${often}, within ${IntervalSeconds} s.`
  return (
    `after ${after}: ${often}. The waits are a random part of ${IntervalSeconds} s, then ${BackoffRate} times as long each ` +
    `time, at most ${MaxDelaySeconds} s.`
  )
}
