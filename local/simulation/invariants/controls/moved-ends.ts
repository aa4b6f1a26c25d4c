import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence } from '../evidence.ts'

const DONE = 200

/** Checks that the end of a show is the one that was asked for last, and that a marker is at the time that was asked for. */
export const movedEnds = ({ shows, apiRequests }: Pick<Evidence, 'shows' | 'apiRequests'>): string[] =>
  shows.flatMap(({ showId, state }) => {
    const { liveAt, plannedEndAt, markers = [] } = state ?? {}
    if (liveAt === undefined) return []
    const began = Date.parse(liveAt)
    const moves = apiRequests.filter(
      ({ method, path, body }) => method === 'PATCH' && path === `/shows/${showId}` && endIn(body, began) !== undefined,
    )
    const last = moves.toSorted((one, other) => one.askedAt - other.askedAt).at(-1)
    const isOnly = last !== undefined && moves.every((one) => one === last || one.answeredAt < last.askedAt)
    const end = last === undefined ? undefined : endIn(last.body, began)
    const isMissed =
      isOnly && last.status === DONE && !isRepeated(last, apiRequests) && end !== Date.parse(plannedEndAt ?? '')
    const missing = apiRequests.filter(
      (one) =>
        one.status === DONE &&
        one.path === `/shows/${showId}/markers` &&
        !markers.some((marker) => isOf(marker, one, { began, all: apiRequests })),
    )
    return [
      ...(isMissed
        ? [`the show ${showId.slice(0, 12)} ends at ${plannedEndAt}, and ${last.body} was answered as done`]
        : []),
      ...missing.map(
        ({ body }) => `the show ${showId.slice(0, 12)} has no marker of ${body}, which was answered as done`,
      ),
    ]
  })

/** Returns the end that a request asks for, in milliseconds since the epoch. */
function endIn(body: string, began: number): number | undefined {
  const { duration, endsAt } = (body === '' ? {} : JSON.parse(body)) as { duration?: number; endsAt?: string }
  if (duration !== undefined) return began + duration * 1000
  return endsAt === undefined ? undefined : Date.parse(endsAt)
}

/** Returns true if the key of a request was used before: then its answer is that of the first one. */
const isRepeated = (one: AnsweredRequest, all: readonly AnsweredRequest[]) =>
  all.some(({ key, path, askedAt }) => key === one.key && path === one.path && askedAt < one.askedAt)

function isOf(
  marker: { readonly at: string; readonly title: string },
  one: AnsweredRequest,
  { began, all }: { readonly began: number; readonly all: readonly AnsweredRequest[] },
): boolean {
  const { label, at } = JSON.parse(one.body) as { readonly label: string; readonly at?: number }
  const time = Date.parse(marker.at)
  if (marker.title !== label) return false
  if (at !== undefined) return time === began + at * 1000
  const first = Math.min(
    ...all.filter(({ key, path }) => key === one.key && path === one.path).map(({ askedAt }) => askedAt),
  )
  return time >= first && time <= one.answeredAt
}
