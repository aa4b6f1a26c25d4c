import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
  ValidationException,
} from '@aws-sdk/client-scheduler'
import type { StartOrder } from '../show/document/start.ts'
import { ServiceError, TaskInputError } from '../tasks/errors.ts'

/** Seconds for which a call of the target is tried again; a show that can only start later than that does not start. */
export const MAX_DELAY = 3_600

/** The schedules of shows, each under its show's id. Every method throws ServiceError when Scheduler does not answer as it should. */
export interface Schedules {
  /**
   * Makes a show's schedule; one that is there already is left as it is.
   * @throws TaskInputError when Scheduler does not take the times
   */
  create(showId: string, start: StartOrder): Promise<void>
  isThere(showId: string): Promise<boolean>
  /** Deletes a show's schedule; one that is not there is deleted already. */
  delete(showId: string): Promise<void>
}

export interface SchedulesOptions {
  readonly group: string
  /** ARN of the role in which the target is called. */
  readonly role: string
  /** ARN of the function that starts the show. */
  readonly target: string
  /** ARN of the queue for calls that failed for good. */
  readonly deadLetters: string
}

export function createSchedules(
  scheduler: SchedulerClient,
  { group, role, target, deadLetters }: SchedulesOptions,
): Schedules {
  return {
    create: (showId, start) =>
      attempt(`making the schedule ${showId}`, async () => {
        try {
          await scheduler.send(
            new CreateScheduleCommand({
              GroupName: group,
              Name: showId,
              ScheduleExpression: expressionOf(start),
              ScheduleExpressionTimezone: start.zone,
              FlexibleTimeWindow: { Mode: 'OFF' },
              ActionAfterCompletion: 'DELETE',
              Target: {
                Arn: target,
                RoleArn: role,
                // Scheduler puts in the time for which it calls, the same each time that it calls again.
                Input: JSON.stringify({ scheduleId: showId, scheduledAt: '<aws.scheduler.scheduled-time>' }),
                DeadLetterConfig: { Arn: deadLetters },
                RetryPolicy: { MaximumEventAgeInSeconds: MAX_DELAY },
              },
            }),
          )
        } catch (error) {
          if (error instanceof ConflictException) return
          if (error instanceof ValidationException)
            throw new TaskInputError(`The schedule is not taken: ${error.message}`, { cause: error })
          throw error
        }
      }),

    isThere: (showId) =>
      attempt(`looking for the schedule ${showId}`, async () => {
        try {
          await scheduler.send(new GetScheduleCommand({ GroupName: group, Name: showId }))
          return true
        } catch (error) {
          if (error instanceof ResourceNotFoundException) return false
          throw error
        }
      }),

    delete: (showId) =>
      attempt(`deleting the schedule ${showId}`, async () => {
        try {
          await scheduler.send(new DeleteScheduleCommand({ GroupName: group, Name: showId }))
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error
        }
      }),
  }
}

function expressionOf(start: StartOrder): string {
  if ('cron' in start) return `cron(${start.cron})`
  return `at(${start.at.length === 16 ? `${start.at}:00` : start.at})` // Scheduler wants the seconds
}

async function attempt<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof TaskInputError) throw cause
    const { name, message } = cause as Error
    throw new ServiceError(`EventBridge Scheduler failed while ${what} (${name}: ${message}).`, { cause })
  }
}
