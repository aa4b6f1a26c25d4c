import type { Evidence } from '../evidence.ts'

type Seen = Pick<Evidence, 'apiRequests' | 'shows'>

const CLIPS = /^\/shows\/([^/]+)\/clips$/
/** The shortest clip, in seconds. */
const SHORTEST = 0.5

interface Order {
  readonly from?: number | string
  readonly to?: number | string
}

/** Checks that a clip of a live show is refused for its times only if these are as the answer says: too short, reversed, negative or ahead. */
export function refusedClips({ apiRequests, shows }: Seen): string[] {
  return apiRequests.flatMap(({ method, path, status, body, answer, answeredAt }) => {
    const [, showId] = CLIPS.exec(path) ?? []
    if (showId === undefined || method !== 'POST' || status !== 400) return []
    const { from, to } = JSON.parse(body) as Order
    const began = Date.parse(shows.find((one) => one.showId === showId)?.state?.liveAt ?? '')
    if (typeof from !== 'number' || typeof to !== 'number' || Number.isNaN(began)) return []
    const { problems = [] } = JSON.parse(answer) as { readonly problems?: readonly { readonly message: string }[] }
    const isTrue: Readonly<Record<string, boolean>> = {
      [`must be at least ${SHORTEST} s after from`]: to - from < SHORTEST,
      'must be at least 0': from < 0 || to < 0,
      'must not be in the future': began + to * 1000 > answeredAt,
    }
    return problems
      .filter(({ message }) => isTrue[message] === false)
      .map(
        ({ message }) => `a clip from ${from} s to ${to} s of ${showId.slice(0, 12)} is refused, because it ${message}`,
      )
  })
}
