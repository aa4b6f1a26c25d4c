import type { Audience } from './audience.ts'
import type { Sights } from './show-stream.ts'

/** Takes an audience to a show: in before it starts, at their times while it is live. Ends early if the show does. */
export async function visit(sights: Sights, audience: Audience): Promise<void> {
  const sessionId = await sights.until(({ show }) => show.sessionId)
  if (sessionId === undefined) return
  await audience.open(sessionId)
  const liveAt = await sights.until(({ show }) => show.liveAt)
  if (liveAt !== undefined) await audience.live(sessionId, Date.parse(liveAt))
}
