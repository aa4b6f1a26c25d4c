import { z } from 'zod'
import { delivery } from '../../events/delivery.ts'
import { ownerEvent } from '../../events/owner-events.ts'
import { showMachines } from '../../tasks/show-machines.ts'
import { showCost } from '../cost.ts'

const shownEvent = ownerEvent
  .extend({ id: ownerEvent.shape.id.describe('To deduplicate by: a callback of the event has the same id.') })
  .meta({ id: 'OwnerEvent', description: 'An event that the owner of a show is notified of.' })

const shownDelivery = delivery
  .omit({ version: true })
  .extend({
    deliveryId: z.string().describe('Id of the delivery, with which it is replayed.'),
    status: z
      .enum(['pending', 'delivered', 'gone', 'refused', 'failing'])
      .describe(
        '`pending` before the first attempt. `gone` after 410: the show is not notified any more. `refused` is not repeated, `failing` may be.',
      ),
    event: shownEvent.describe('The last body that was sent, or that is sent first.'),
    attempts: delivery.shape.attempts.describe('The newest last.'),
    omitted: delivery.shape.omitted.describe('Number of older attempts that are not kept; absent if there is none.'),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one owner event to the callback of its show.' })
export type ShownDelivery = z.output<typeof shownDelivery>

const time = z.iso.datetime()
const payload = z.string().optional()
const failure = {
  error: z.string().optional().describe('Name of the error.'),
  cause: z.string().optional().describe('Message of the error.'),
}

const visitedState = z
  .object({
    id: z.int().describe('Id of the state in this execution.'),
    parent: z.int().optional().describe('Id of the Map or Parallel state in which it ran.'),
    iteration: z.int().optional().describe('Index of the item of a Map, from 0.'),
    name: z.string(),
    type: z.string().describe('Type of the state: Task, Choice, Wait, Map and others.'),
    status: z
      .enum(['running', 'succeeded', 'caught', 'failed', 'aborted'])
      .describe('`caught`: it failed, and the machine continued.'),
    enteredAt: time,
    exitedAt: time.optional(),
    input: payload.describe('JSON, shortened after 1,000 characters.'),
    output: payload.describe('JSON, shortened after 1,000 characters.'),
    attempts: z
      .array(z.object({ startedAt: time, endedAt: time.optional(), ...failure }))
      .describe('Attempts of a task. Those after the first are retries.'),
    child: z
      .object({ machine: z.enum(showMachines), name: z.string() })
      .optional()
      .describe('The child execution that it has started. Read it with `machine` and `name`.'),
  })
  .meta({ id: 'VisitedState', description: 'One visit of an execution to a state.' })

const execution = z
  .object({
    showId: z.string(),
    machine: z.enum(showMachines),
    name: z.string(),
    status: z.enum(['running', 'succeeded', 'failed', 'timedOut', 'aborted']),
    startedAt: time,
    stoppedAt: time.optional(),
    input: payload,
    output: payload,
    ...failure,
    consoleUrl: z.url().optional().describe('Page of the execution in the AWS console; absent locally.'),
    states: z.array(visitedState).describe('In the order in which they were entered.'),
    closings: z.array(z.string()).describe('Names of the executions that closed the show after an interruption.'),
    redrivable: z.boolean().describe('True if `POST /shows/{id}/execution/redrive` would resume it.'),
  })
  .meta({ id: 'ShowExecution', description: 'An execution of a machine that runs the show, or ran it.' })

/** Answers of the routes about the course of a show. */
export const historyAnswers = {
  events: z.object({
    items: z.array(shownEvent).describe('The oldest first; with `after`, only those that the cursor does not include.'),
    cursor: z.string().describe('Pass it as `after` to get only events that are recorded later.'),
  }),
  deliveries: z.object({ items: z.array(shownDelivery).describe('The newest event first.') }),
  execution,
  redriven: z.object({ showId: z.string(), executionName: z.string() }),
  cost: showCost,
  replayed: z.object({ showId: z.string(), deliveryId: z.string() }),
} as const
