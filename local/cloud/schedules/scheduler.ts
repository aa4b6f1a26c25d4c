import type { Clock } from '../../../lib/clock.ts'
import { AwsError, validation } from '../endpoint/aws-json.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'
import type { DeadLetters, MessageAttributes } from '../queues/queues.ts'
import type { Recurrence } from './cron.ts'
import { readExpression } from './expression.ts'
import { type Recurring, startRecurring } from './recurring.ts'
import type { ListingInput, ScheduleInput } from './schedule-input.ts'

/** A stored schedule. Times are milliseconds since the epoch. */
export interface Schedule {
  readonly name: string
  readonly input: ScheduleInput
  readonly created: number
  readonly modified: number
  /** Time up to which its events are handled. */
  handled: number
}

export interface SchedulerOptions {
  /** Directory of the schedules. @default in memory */
  readonly directory: string | undefined
  readonly clock: Clock
  readonly newId: () => string
  /** Names of groups besides `default`. */
  readonly groups: readonly string[]
  readonly isFunction: (arn: string) => boolean
  /** Invokes a function asynchronously. */
  readonly invokeLater: (arn: string, event: unknown) => void
  /** Dead-letter queues. Without them no schedule can have one. */
  readonly queues?: DeadLetters
  /** Called with an event that could not be delivered. */
  readonly onLost?: ((scheduleName: string, error: Error) => void) | undefined
}

/** EventBridge Scheduler. Every method throws AwsError as the service does. */
export type Scheduler = ReturnType<typeof createScheduler>

/** Maximum retention of SQS: older events would expire in a queue at once. */
const MAX_KEPT_MS = 14 * 86_400_000

const keyOf = (group: string, name: string) => `${group}/${name}`

export const scheduleArn = ({ name, input }: Schedule): string =>
  `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${keyOf(input.GroupName, name)}`

/** @throws Error when the stored schedules cannot be read */
export function createScheduler(options: SchedulerOptions) {
  const { directory, clock, newId, isFunction, invokeLater, queues, onLost } = options
  const groups = new Set(['default', ...options.groups])
  const { content: kept, save } = openPrivateFile<Record<string, Schedule>>(directory, 'schedules.json', {})
  const schedules = new Map(Object.entries(kept))
  const running = new Map<string, Recurring>()
  for (const schedule of schedules.values()) recurrenceOf(schedule) // throws here rather than in `start`

  const keep = (key: string, schedule: Schedule | undefined) => {
    if (schedule) {
      schedules.set(key, schedule)
      kept[key] = schedule
    } else {
      schedules.delete(key)
      delete kept[key]
    }
    save()
  }
  const requireGroup = (group: string) => {
    if (!groups.has(group)) throw notFound(`Schedule group ${group} does not exist.`)
  }
  const find = (group: string, name: string): Schedule => {
    requireGroup(group)
    const schedule = schedules.get(keyOf(group, name))
    if (!schedule) throw notFound(`Schedule ${name} does not exist.`)
    return schedule
  }

  /** Returns the milliseconds after its time within which an event is delivered. */
  const patience = ({ input }: Schedule) => input.Target.RetryPolicy.MaximumEventAgeInSeconds * 1000

  const deliver = (schedule: Schedule, time: number) => {
    const { Arn: targetArn, DeadLetterConfig: deadLetters } = schedule.input.Target
    const executionId = newId()
    const input = fillIn(schedule, time, executionId)
    const isTooOld = clock.now() - time >= patience(schedule) // for example because this machine was off or asleep
    if (!isTooOld && isFunction(targetArn)) return invokeLater(targetArn, JSON.parse(input))
    const failure = isTooOld ? 'tooOld' : 'gone'
    if (deadLetters) queues?.send(deadLetters.Arn, input, describeUndelivered(schedule, { failure, executionId, time }))
    onLost?.(schedule.name, new Error(FAILURES[failure].message))
  }

  const run = (schedule: Schedule) => {
    const { Target: target, GroupName: group, State: state, ActionAfterCompletion: after } = schedule.input
    const key = keyOf(group, schedule.name)
    running.get(key)?.end()
    if (state === 'DISABLED') return
    const oldest = clock.now() - (target.DeadLetterConfig ? MAX_KEPT_MS : patience(schedule))
    const recurring = startRecurring({
      clock,
      recurrence: recurrenceOf(schedule),
      since: Math.max(schedule.handled, oldest),
      act(time) {
        deliver(schedule, time)
        schedule.handled = time
        save()
      },
      onOver() {
        if (after === 'DELETE') keep(key, undefined)
      },
    })
    running.set(key, recurring)
  }
  const put = (schedule: Schedule) => {
    check(schedule, clock.now())
    const { Arn: target, DeadLetterConfig: deadLetters } = schedule.input.Target
    if (!isFunction(target)) throw validation('Target.Arn is not a function of the stack.')
    if (deadLetters && !queues?.has(deadLetters.Arn))
      throw validation('Target.DeadLetterConfig.Arn is not a queue of the stack.')
    keep(keyOf(schedule.input.GroupName, schedule.name), schedule)
    run(schedule)
    return schedule
  }

  return {
    start(): void {
      for (const [key, { input }] of schedules) if (!groups.has(input.GroupName)) keep(key, undefined) // deleted with the schedule
      for (const schedule of [...schedules.values()]) run(schedule)
    },
    create(name: string, input: ScheduleInput): Schedule {
      requireGroup(input.GroupName)
      const known = schedules.get(keyOf(input.GroupName, name))
      if (known && input.ClientToken !== undefined && JSON.stringify(known.input) === JSON.stringify(input))
        return known
      if (known) throw new AwsError('ConflictException', `Schedule ${name} already exists.`, 409)
      const now = clock.now()
      // AWS documents no rule for a past one-time schedule. It is treated like one that was due while this machine was
      // off.
      return put({ name, input, created: now, modified: now, handled: isOneOff(input) ? 0 : now - 1 })
    },
    update(name: string, input: ScheduleInput): Schedule {
      const { created, handled } = find(input.GroupName, name)
      const now = clock.now()
      return put({ name, input, created, modified: now, handled: isOneOff(input) ? handled : now - 1 })
    },
    get: find,
    delete(group: string, name: string): void {
      find(group, name)
      const key = keyOf(group, name)
      running.get(key)?.end()
      running.delete(key)
      keep(key, undefined)
    },
    /** Lists schedules by group and name. `NextToken` is the key of the last one. */
    list({
      ScheduleGroup: group,
      NamePrefix: prefix = '',
      State: state,
      MaxResults: most,
      NextToken: token = '',
    }: ListingInput): { schedules: Schedule[]; nextToken: string | undefined } {
      if (group !== undefined) requireGroup(group)
      const matching = [...schedules.keys()].sort().flatMap((key) => {
        const schedule = schedules.get(key) as Schedule
        const { GroupName, State } = schedule.input
        const fits = (group ?? GroupName) === GroupName && (state ?? State) === State
        return fits && schedule.name.startsWith(prefix) && key > token ? [{ key, schedule }] : []
      })
      const page = matching.slice(0, most)
      return {
        schedules: page.map(({ schedule }) => schedule),
        nextToken: matching.length > most ? page.at(-1)?.key : undefined,
      }
    },
    close(): void {
      for (const recurring of running.values()) recurring.end()
    },
  }
}

const notFound = (message: string) => new AwsError('ResourceNotFoundException', message, 404)

const isOneOff = ({ ScheduleExpression: expression }: ScheduleInput) => expression.startsWith('at(')

/**
 * Returns the times between the schedule’s dates, which AWS ignores for one-time schedules. A rate counts from the
 * first date.
 */
function recurrenceOf({ input, modified }: Pick<Schedule, 'input' | 'modified'>): Recurrence {
  const { ScheduleExpression: expression, ScheduleExpressionTimezone: zone, StartDate: start, EndDate: end } = input
  const anchor = start === undefined ? modified : start * 1000
  const { after } = readExpression(expression, { zone, anchor })
  if (isOneOff(input)) return { after }
  const earliest = start === undefined ? 0 : anchor - 1
  const latest = end === undefined ? Number.POSITIVE_INFINITY : end * 1000
  return {
    after(time) {
      const next = after(Math.max(time, earliest))
      return next === undefined || next > latest ? undefined : next
    },
  }
}

/** @throws AwsError ValidationException */
function check(schedule: Schedule, now: number): void {
  const { StartDate: start = 0, EndDate: end = Number.POSITIVE_INFINITY } = schedule.input
  if (end <= start || end * 1000 <= now) throw validation('EndDate must be later than StartDate, and than now.')
  try {
    recurrenceOf(schedule)
  } catch (error) {
    throw validation((error as Error).message)
  }
}

/** Replaces context attributes */
function fillIn(schedule: Schedule, time: number, executionId: string): string {
  const attributes: Readonly<Record<string, string>> = {
    'scheduled-time': wholeSeconds(time),
    'schedule-arn': scheduleArn(schedule),
    'execution-id': executionId,
    'attempt-number': '1', // a function of the stack is always reachable
  }
  return schedule.input.Target.Input.replace(
    /<aws\.scheduler\.([a-z-]+)>/g,
    (whole, name: string) => attributes[name] ?? whole,
  )
}

/** Reasons for which a schedule could not call its target. */
const FAILURES = {
  tooOld: { code: 'MaximumEventAgeExceeded', message: 'The event is older than its MaximumEventAgeInSeconds.' },
  gone: { code: 'ResourceNotFoundException', message: 'The target is not a function of the stack.' },
} as const

/**
 * Describes an undelivered event (Scheduler user guide, "Configuring a schedule's dead-letter queue"). The body is the
 * input of the target.
 */
function describeUndelivered(
  schedule: Schedule,
  { failure, executionId, time }: { failure: keyof typeof FAILURES; executionId: string; time: number },
): MessageAttributes {
  const { code, message } = FAILURES[failure]
  const values = {
    ERROR_CODE: code,
    ERROR_MESSAGE: message,
    EXECUTION_ID: executionId,
    ...(failure === 'tooOld' && { EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds' }),
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: '0',
    SCHEDULED_TIME: wholeSeconds(time),
    SCHEDULE_ARN: scheduleArn(schedule),
    TARGET_ARN: schedule.input.Target.Arn,
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'String', value }]))
}

const wholeSeconds = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
