import { createHash } from 'node:crypto'
import { platformEvents, type Receiver, receivers } from '../../lib/events/platform-events.ts'
import { readPlatformCallback } from '../../lib/operations/platform-callbacks/platform-callbacks.ts'
import type { Services } from '../../lib/services.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { ApiProblem, problemResponse } from '../http/problem.ts'
import { taskHandler } from '../middleware/task.ts'

type Answer = TaskOutput<'receiveCallback'>

/**
 * `POST /callbacks/{kind}`: what the platform posts. It is answered as soon as it is verified and on the bus, and handled after
 * that (`handleCallback`), so that a thousand guests who join at once keep nobody waiting. Verifying comes first: it takes a
 * hash and no call, and what strangers post fills no queue.
 */
export async function receiveCallback(input: TaskInput<'receiveCallback'>, services: Services): Promise<Answer> {
  const { headers, pathParameters, body: text, isBase64Encoded } = input
  const receiver = pathParameters.kind as Receiver
  const body = isBase64Encoded ? Buffer.from(text, 'base64') : Buffer.from(text)
  const { authorization } = headers
  const verdict = Object.hasOwn(receivers, receiver)
    ? await services.platformCallbacks.verify(receiver, { authorization, body })
    : ({ is: 'unregistered' } as const)
  if (verdict.is === 'unregistered') return refuse(404, 'No callback of this kind is registered here.')
  if (verdict.is === 'not to be believed') return refuse(401, verdict.why)

  const { clock, platformEvents: bus } = services
  const id = createHash('sha256').update(body).digest('hex')
  const receivedAt = new Date(clock.now()).toISOString()
  const told = read(body, receiver)
  if ('refusal' in told) return told.refusal
  const { kind, callback } = told
  await bus.queue({ version: 1, kind, id, receivedAt, callback } as never)
  return taken
}

type Told = { kind: keyof typeof platformEvents; callback: never } | { refusal: Answer }

/** Returns the part of a callback that goes to the bus. An unknown event is answered 422 and not asked for again. */
function read(body: Buffer, receiver: Receiver): Told {
  const posted = readPlatformCallback(body)
  if ('problem' in posted) return { refusal: refuse(422, posted.problem) }
  const { kind, event } = posted
  if ((receivers[receiver] as readonly string[]).includes(kind))
    return { kind, callback: platformEvents[kind].shape.callback.parse(event) as never }
  return { refusal: refuse(422, `${receiver} does not take the event ${event.event}.`) }
}

const taken: Answer = { statusCode: 204, headers: {}, body: '' }

const refuse = (status: number, detail: string): Answer => problemResponse(new ApiProblem(status, detail))

export const handler = taskHandler('receiveCallback', receiveCallback)
