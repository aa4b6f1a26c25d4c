import type { Audience } from './audience.ts'
import type { ShowStream } from './show-stream.ts'

/** Takes an audience to a show: in before it starts, at their times while it is live. Ends early if the show does. */
export async function admitGuests(sights: ShowStream, audience: Audience): Promise<void> {
  const sessionId = await sights.until(({ show }) => show.sessionId)
  if (sessionId === undefined) return
  await audience.open(sessionId)
  const liveAt = await sights.until(({ show }) => show.liveAt)
  if (liveAt !== undefined) await audience.live(sessionId, Date.parse(liveAt))
}
