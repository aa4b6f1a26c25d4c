import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler'
import { endOfSeries } from '../show/document/series.ts'
import type { Show } from '../show/document/show.ts'
import { instantOf, secondInstantOf } from '../show/document/starts/local-times.ts'
import type { StartOrder } from '../show/document/starts/start.ts'
import { startDelay } from '../show/document/starts/start-delay.ts'
import { TaskInputError } from '../tasks/errors.ts'
import { attempt } from './service-errors.ts'

/** Seconds for which Scheduler retries a call. A show that can only start later does not start. */
export const MAX_DELAY = 3_600

export type Schedules = ReturnType<typeof createSchedules>

export interface SchedulesOptions {
  readonly group: string
  readonly role: string
  readonly target: string
  /** ARN of the queue for calls that failed permanently. */
  readonly deadLetters: string
}

/** A show that has a start, and the seconds that it waits for its audience. */
type ScheduledShow = Pick<Show, 'audienceWait'> & { readonly start: StartOrder }

/** Creates the schedules of shows, each named by its show's id. Every method throws {@link ServiceError} when Scheduler fails. */
export function createSchedules(scheduler: SchedulerClient, { group, role, target, deadLetters }: SchedulesOptions) {
  const inputOf = (showId: string, { start, audienceWait }: ScheduledShow) => ({
    GroupName: group,
    Name: showId,
    ...expressionOf(start, startDelay(showId, audienceWait)),
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    ActionAfterCompletion: 'DELETE' as const,
    Target: {
      Arn: target,
      RoleArn: role,
      // Scheduler inserts the scheduled time, which is the same for each retry.
      Input: JSON.stringify({ scheduleId: showId, scheduledAt: '<aws.scheduler.scheduled-time>' }),
      DeadLetterConfig: { Arn: deadLetters },
      RetryPolicy: { MaximumEventAgeInSeconds: MAX_DELAY },
    },
  })
  const create = (showId: string, show: ScheduledShow) =>
    attempt(`EventBridge Scheduler failed while making the schedule ${showId}`, async () => {
      try {
        await scheduler.send(new CreateScheduleCommand(inputOf(showId, show)))
      } catch (error) {
        if (error instanceof ConflictException) return
        throw refusalOf(error)
      }
    })
  return {
    /** Creates a show's schedule, unless it exists. @throws {@link TaskInputError} when Scheduler refuses the times */
    create,

    /** Gives a show's schedule another start, or creates it. @throws {@link TaskInputError} when Scheduler refuses the times */
    replace: (showId: string, show: ScheduledShow) =>
      attempt(`EventBridge Scheduler failed while changing the schedule ${showId}`, async () => {
        try {
          await scheduler.send(new UpdateScheduleCommand(inputOf(showId, show)))
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw refusalOf(error)
          await create(showId, show)
        }
      }),

    exists: (showId: string) =>
      attempt(`EventBridge Scheduler failed while reading the schedule ${showId}`, async () => {
        try {
          await scheduler.send(new GetScheduleCommand({ GroupName: group, Name: showId }))
          return true
        } catch (error) {
          if (error instanceof ResourceNotFoundException) return false
          throw error
        }
      }),

    /** Deletes a show's schedule, if it exists. */
    delete: (showId: string) =>
      attempt(`EventBridge Scheduler failed while deleting the schedule ${showId}`, async () => {
        try {
          await scheduler.send(new DeleteScheduleCommand({ GroupName: group, Name: showId }))
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error
        }
      }),
  }
}

/**
 * Names a local time that occurs twice in UTC, because Scheduler documents no choice.
 * @param delay seconds that a single start is delayed. A cron expression has none
 */
function expressionOf(start: StartOrder, delay: number) {
  if ('cron' in start) {
    const end = endOfSeries(start)
    return {
      ...inZone(`cron(${start.cron})`, start.zone),
      ...(end !== undefined && { EndDate: new Date(end) }),
    }
  }
  const { at, zone } = start
  const first = secondInstantOf(at, zone) === undefined ? undefined : instantOf(at, zone)
  const [time, ofZone] = first === undefined ? [at, zone] : [secondsOf(first), 'UTC']
  const delayed = later(time, delay)
  // When clocks change in between, the delay is left out.
  const isExact = (instantOf(delayed, ofZone) ?? 0) - (instantOf(time, ofZone) ?? 0) === delay * 1000
  return inZone(`at(${isExact ? delayed : later(time, 0)})`, ofZone)
}

const secondsOf = (instant: number) => new Date(instant).toISOString().slice(0, 19)
/** Adds seconds to a local time. Scheduler requires them. */
const later = (time: string, seconds: number) => secondsOf(Date.parse(`${time}Z`) + seconds * 1000)

const inZone = (expression: string, zone: string) => ({
  ScheduleExpression: expression,
  ScheduleExpressionTimezone: zone,
})

const refusalOf = (error: unknown) =>
  error instanceof ValidationException
    ? new TaskInputError(`The schedule is not accepted: ${error.message}`, { cause: error })
    : error
