import type { Clock } from '../../../lib/clock.ts'
import { readExpression } from '../schedules/expression.ts'
import { startRecurring } from '../schedules/recurring.ts'
import { type BusEvent, toBusEvent } from './events.ts'

/** A rule of EventBridge. Rules without a schedule are ignored. */
export interface ScheduledRule {
  readonly arn: string
  /** `rate(5 minutes)` or `cron(0 9 * * ? *)`, in UTC. */
  readonly schedule: string | undefined
  /** Must not throw. */
  readonly deliver: (event: BusEvent) => void
}

/** Starts scheduled rules. Rates count from now. Events go to their own targets only. */
export function startScheduledRules(
  rules: readonly ScheduledRule[],
  { clock, newId }: { clock: Clock; newId: () => string },
): { close(): void } {
  const anchor = clock.now()
  const running = rules.flatMap(({ arn, schedule, deliver }) => {
    if (schedule === undefined) return []
    const event = { source: 'aws.events', 'detail-type': 'Scheduled Event', resources: [arn], detail: {} }
    const act = (time: number) => deliver(toBusEvent(event, { id: newId(), time }))
    return startRecurring({ clock, recurrence: readExpression(schedule, { anchor }), since: anchor, act })
  })
  return {
    close() {
      for (const one of running) one.end()
    },
  }
}
