import type { Services } from '../../services.ts'
import type { Show } from '../document/show.ts'

/** The moments of a show that can be announced to participants. */
export type Occasion = keyof Show['announcements']

/** Sends and notes the signal of an occasion. Fails nothing else; noted last, since a repeated announcement does less harm. */
export async function announce(
  { platform, shows }: Pick<Services, 'platform' | 'shows'>,
  { showId, sessionId }: { readonly showId: string; readonly sessionId: string },
  occasion: Occasion,
): Promise<void> {
  const signal = (await shows.request(showId)).show.announcements[occasion]
  if (!signal) return
  const { timeline } = await shows.state(showId)
  if (timeline.some(({ what, id }) => what.startsWith('announcement.') && id === occasion)) return
  try {
    await (await platform()).signalSession({ sessionId, ...signal })
  } catch (error) {
    await shows.note(showId, { what: 'announcement.failed', id: occasion, detail: (error as Error).message })
    return
  }
  await shows.note(showId, { what: 'announcement.sent', id: occasion })
}
