import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../lib/services/services.ts'
import { parseShow } from '../../lib/workflow/show.ts'
import { ApiProblem } from './problem.ts'
import { type ApiEvent, callerOf, ok, readJson } from './request.ts'

/** `POST /shows`: records a show and starts its execution, once per caller and Idempotency-Key. */
export async function postShow(event: ApiEvent, { records, showExecutions, clock }: Services) {
  const parsed = parseShow(readJson(event))
  if ('problems' in parsed) throw new ApiProblem(400, 'The show is not valid; see problems.', parsed.problems)

  const showId = chooseId(event)
  const acceptedAt = new Date(clock.now()).toISOString()
  const accepted = await records.acceptShow({ version: 1, showId, acceptedAt, show: parsed.show })
  if (!isDeepStrictEqual(accepted.show, parsed.show))
    throw new ApiProblem(409, 'This Idempotency-Key was used for another show: take a new key for a new show.')
  await showExecutions.start(showId, { showId })
  const status = (await records.readState(showId))?.status ?? 'starting'
  return ok({ showId, status }, 202)
}

function chooseId(event: ApiEvent): string {
  const key = event.headers['idempotency-key']
  if (key === undefined) return randomUUID()
  if (key.length < 1 || key.length > 255) throw new ApiProblem(400, 'Idempotency-Key must have 1 to 255 characters.')
  return createHash('sha256')
    .update(JSON.stringify([callerOf(event), key]))
    .digest('hex')
    .slice(0, 40)
}
