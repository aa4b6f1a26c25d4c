import type { Evidence } from '../evidence.ts'
import { answersTo } from './recorded-documents.ts'

interface ShownDelivery {
  readonly deliveryId: string
  readonly status: string
  readonly attempts: readonly { readonly status?: number }[]
}

/** Statuses after which an event is posted again, beside those from 500 on. */
const REPEATED: readonly number[] = [408, 425, 429]

/**
 * Checks the statuses of the deliveries that the API shows (docs/showrunner-api.json): each follows from the answer to the last
 * attempt. An event without an attempt waits, or is not sent any more.
 */
export const shownDeliveries = ({ visits }: Pick<Evidence, 'visits'>): string[] =>
  answersTo<{ readonly items: readonly ShownDelivery[] }>(visits, /^\/shows\/([^/]+)\/deliveries/).flatMap(
    ({ captured: [showId = ''], body }) =>
      body.items
        .filter((one) => !expectedOf(one).includes(one.status))
        .map(({ deliveryId, status, attempts }) => {
          const answer = attempts.at(-1)?.status ?? 'nothing'
          return `the delivery ${deliveryId} of the show ${showId} is shown as ${status} after ${answer}`
        }),
  )

function expectedOf({ attempts }: ShownDelivery): string[] {
  const last = attempts.at(-1)
  if (!last) return ['pending', 'gone']
  const { status = 500 } = last
  if (status >= 500 || REPEATED.includes(status)) return ['failing']
  if (status === 410) return ['gone']
  return [status < 300 ? 'delivered' : 'refused']
}
