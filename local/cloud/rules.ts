import type { Pattern } from './pattern.ts'
import { readExpression } from './schedules/expression.ts'

/** A rule of the template, ready to be followed. */
export interface RuleSpec {
  readonly arn: string
  /** At least one of the two. */
  readonly pattern: Pattern | undefined
  readonly schedule: string | undefined
  readonly targets: readonly TargetSpec[]
}

/** What a rule calls: a function is invoked asynchronously, of a machine an execution is started. */
export interface TargetSpec {
  readonly kind: 'function' | 'machine'
  readonly arn: string
  /** JSON that is delivered instead of the event. */
  readonly input: string | undefined
}

export interface RuleProperties {
  readonly Name?: string
  readonly State?: string
  readonly EventPattern?: Pattern
  readonly ScheduleExpression?: string
  readonly Targets?: readonly Readonly<Record<string, unknown>>[]
}

/** `RoleArn` since there is no IAM here, `RetryPolicy` since what is called here can always be reached. */
const INERT = ['Id', 'RoleArn', 'RetryPolicy']

/**
 * @param kindOf what an ARN is of
 * @throws Error naming the rule, and what of it is not known on a laptop
 */
export function readRule(
  { id, arn, properties }: { id: string; arn: string; properties: RuleProperties },
  kindOf: (arn: unknown) => TargetSpec['kind'] | undefined,
): RuleSpec {
  const { EventPattern: pattern, ScheduleExpression: schedule, Targets: targets = [] } = properties
  if (pattern === undefined && schedule === undefined)
    throw new Error(`${id}: a rule needs an EventPattern or a ScheduleExpression.`)
  if (schedule !== undefined) checkSchedule(id, schedule)
  return { arn, pattern, schedule, targets: targets.map((target) => readTarget(id, target, kindOf)) }
}

/** A rate of one has a unit without s, and only that (EventBridge user guide, "Rate expressions"); at is the Scheduler's. */
const SCHEDULE = /^(cron\(.*\)|rate\(1 (minute|hour|day)\)|rate\((?!1 )\d+ (minutes|hours|days)\))$/

function checkSchedule(rule: string, schedule: string): void {
  if (!SCHEDULE.test(schedule))
    throw new Error(`${rule}: ${schedule} is no schedule of a rule: write rate(5 minutes), rate(1 hour) or cron(…).`)
  try {
    readExpression(schedule, { anchor: 0 })
  } catch (error) {
    throw new Error(`${rule}: ${(error as Error).message}`, { cause: error })
  }
}

function readTarget(
  rule: string,
  { Arn: arn, Input: input, ...rest }: Readonly<Record<string, unknown>>,
  kindOf: (arn: unknown) => TargetSpec['kind'] | undefined,
): TargetSpec {
  const unknown = Object.keys(rest).find((name) => !INERT.includes(name))
  if (unknown) throw new Error(`${rule}: ${unknown} of a target is not known on a laptop.`)
  const kind = kindOf(arn)
  if (!kind)
    throw new Error(
      `${rule}: ${String(arn)} is no function or state machine of the stack, and only those can be called.`,
    )
  if (input !== undefined && !isJson(input)) throw new Error(`${rule}: the Input of a target must be JSON as text.`)
  return { kind, arn: String(arn), input: input as string | undefined }
}

function isJson(text: unknown): boolean {
  try {
    return typeof text === 'string' && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
