import type { Clock } from '../../../lib/clock.ts'
import { readExpression } from '../schedules/expression.ts'
import { startRecurring } from '../schedules/recurring.ts'
import { type BusEvent, busArn, toBusEvent } from './events.ts'
import type { Pattern } from './pattern.ts'

/** A target of a rule: a function, invoked asynchronously, or a machine, of which an execution is started. */
export interface TargetSpec {
  readonly kind: 'function' | 'machine'
  readonly arn: string
  /** JSON that is delivered instead of the event. */
  readonly input: string | undefined
  /** ARN of the queue for events that could not be delivered. */
  readonly deadLetterQueue: string | undefined
}

export interface RuleResources {
  /** Names of the stack’s buses. */
  readonly buses: readonly string[]
  readonly kindOf: (arn: unknown) => TargetSpec['kind'] | undefined
  /** Returns the ARN of a queue of the stack. @throws Error naming the user of any other ARN */
  readonly requireQueue: (user: string, arn: unknown) => string
}

export interface RuleProperties {
  readonly Name?: string
  readonly State?: string
  readonly EventBusName?: string
  readonly EventPattern?: Pattern
  readonly ScheduleExpression?: string
  readonly Targets?: readonly Readonly<Record<string, unknown>>[]
}

const DEFAULT = 'default'

/** Properties without an effect: there are no roles here, and failures are permanent, without retries. */
const INERT = ['Id', 'RoleArn', 'RetryPolicy']

/** Reads a rule, which has a pattern, a schedule or both. @throws Error naming the rule and its unsupported property */
export function readRule(
  { id, arn, properties }: { id: string; arn: string; properties: RuleProperties },
  surroundings: RuleResources,
) {
  const {
    EventPattern: pattern,
    ScheduleExpression: schedule,
    Targets: targets = [],
    EventBusName = DEFAULT,
  } = properties
  const bus = [DEFAULT, ...surroundings.buses].find((name) => EventBusName === name || EventBusName === busArn(name))
  if (!bus) throw new Error(`${id}: there is no bus ${EventBusName} in the stack.`)
  if (schedule !== undefined && bus !== DEFAULT)
    throw new Error(`${id}: only rules of the default bus can have a ScheduleExpression.`)
  if (pattern === undefined && schedule === undefined)
    throw new Error(`${id}: a rule needs an EventPattern or a ScheduleExpression.`)
  if (schedule !== undefined) checkSchedule(id, schedule)
  return { arn, bus, pattern, schedule, targets: targets.map((target) => readTarget(id, target, surroundings)) }
}

/**
 * Schedules of rules. Only a rate of one has a singular unit (EventBridge user guide, "Rate expressions"); `at` is for
 * the Scheduler only.
 */
const SCHEDULE = /^(cron\(.*\)|rate\(1 (minute|hour|day)\)|rate\((?!1 )\d+ (minutes|hours|days)\))$/

function checkSchedule(rule: string, schedule: string): void {
  if (!SCHEDULE.test(schedule))
    throw new Error(`${rule}: ${schedule} is not a schedule of a rule. Write rate(5 minutes), rate(1 hour) or cron(…).`)
  try {
    readExpression(schedule, { anchor: 0 })
  } catch (error) {
    throw new Error(`${rule}: ${(error as Error).message}`, { cause: error })
  }
}

function readTarget(
  rule: string,
  { Arn: arn, Input: input, DeadLetterConfig: deadLetters, ...rest }: Readonly<Record<string, unknown>>,
  { kindOf, requireQueue }: RuleResources,
): TargetSpec {
  const unknown = Object.keys(rest).find((name) => !INERT.includes(name))
  if (unknown) throw new Error(`${rule}: ${unknown} of a target is not supported locally.`)
  const kind = kindOf(arn)
  if (!kind)
    throw new Error(
      `${rule}: ${String(arn)} is not a function or state machine of the stack, and only those can be called.`,
    )
  if (input !== undefined && !isJson(input)) throw new Error(`${rule}: the Input of a target must be JSON as text.`)
  const deadLetterQueue = deadLetters ? requireQueue(rule, (deadLetters as { Arn?: unknown }).Arn) : undefined
  return { kind, arn: String(arn), input: input as string | undefined, deadLetterQueue }
}

function isJson(text: unknown): boolean {
  try {
    return typeof text === 'string' && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

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
