import { z } from 'zod'
import { showMachines } from '../../tasks/show-machines.ts'
import { eventCursorPattern } from './event-cursor.ts'
import { historyAnswers } from './history-answers.ts'

const events = z.strictObject({
  after: z
    .string()
    .max(6_000)
    .regex(eventCursorPattern, 'is not a cursor of this list')
    .optional()
    .describe('The `cursor` of an earlier answer: only events that it does not include are listed.'),
})

const deliveries = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum number of items.'),
})

const execution = z.strictObject({
  machine: z.enum(showMachines).optional().describe('Machine of the execution. Default: show.'),
  name: z
    .string()
    .regex(/^[0-9A-Za-z_-]{1,80}$/, 'is not the name of an execution')
    .optional()
    .describe('Name of the execution: a child, or one that closed the show. Default: the execution of the show.'),
})

/** The routes about the course of a show. */
export const historyRoutes = {
  'GET /shows/{id}/events': {
    operation: 'listEvents',
    summary: 'List the owner events of a show, the oldest first.',
    role: 'viewer',
    query: events,
    answers: { 200: historyAnswers.events },
    alternative: {
      mediaType: 'text/event-stream',
      description: 'Server-sent events, for callers that accept only those. The stream ends; a client reconnects.',
    },
    problems: ['unknown-show'],
  },
  'GET /shows/{id}/execution': {
    operation: 'readExecution',
    summary: 'Read the execution of a show: its states with their inputs, outputs, retries and errors.',
    role: 'viewer',
    query: execution,
    answers: { 200: historyAnswers.execution },
    problems: ['unknown-show', 'unknown-execution'],
  },
  'POST /shows/{id}/execution/redrive': {
    operation: 'redriveExecution',
    summary: 'Redrive the interrupted execution of a show: resume it at the state that it had not left.',
    role: 'operator',
    isKeyed: true,
    answers: { 202: historyAnswers.redriven },
    problems: ['unknown-show', 'unknown-execution', 'not-redrivable'],
  },
  'GET /shows/{id}/cost': {
    operation: 'readCost',
    summary: 'Read what a show has cost on AWS so far, beside its estimate.',
    role: 'viewer',
    answers: { 200: historyAnswers.cost },
    problems: ['unknown-show'],
  },
  'GET /shows/{id}/deliveries': {
    operation: 'listDeliveries',
    summary: 'List the deliveries of a show’s events to its callback, with each attempt.',
    role: 'viewer',
    query: deliveries,
    answers: { 200: historyAnswers.deliveries },
    problems: ['unknown-show', 'no-callback'],
  },
  'POST /shows/{id}/deliveries/{deliveryId}/replay': {
    operation: 'replayDelivery',
    summary: 'Replay a delivery: post its event to the callback of the show again.',
    role: 'operator',
    answers: { 202: historyAnswers.replayed },
    problems: ['unknown-show', 'unknown-delivery', 'no-callback'],
  },
} as const

/** Descriptions of the routes: facts beyond their summaries. */
export const historyDescriptions = {
  'GET /shows/{id}/events':
    'These are the events of callbacks and of the event bus, read from the records. Poll with `after`, and each event is listed once. With `Accept: text/event-stream` the answer is one short stream of server-sent events: a client such as EventSource reconnects after two seconds, and gets the events since.',
  'GET /shows/{id}/execution':
    'Inputs and outputs contain names only, and no secrets. The history is kept for 90 days. A local one is lost when `npm start` ends.',
  'POST /shows/{id}/execution/redrive':
    'For the newest execution of the show machine, if it was aborted, timed out or failed with an error of Step Functions in the last 14 days. It keeps its history, and the show continues. Redrive soon: within five minutes, the sweep starts an execution that closes the show, and that one is then the newest. An execution that ended in a `Fail` state would fail again, so it is refused, and so is that of a show that is over. The children of an execution are started again with it. An interrupted publish is started again automatically, or by a rebuild.',
  'GET /shows/{id}/cost':
    'Transitions, invocations and the time of functions are counted from the histories of its executions, gigabytes from the manifests of its recordings, and minutes from its records. Every request reads these histories, so poll it rarely. Publishes are counted once they have an outcome.',
  'GET /shows/{id}/deliveries':
    'An event that was never sent has no attempts. The signature of each attempt was verified with the published keys before it was sent.',
  'POST /shows/{id}/deliveries/{deliveryId}/replay':
    'The app gets the same event id again, signed again. A replay is also sent after the app has answered 410. List the deliveries for its outcome.',
} as const
