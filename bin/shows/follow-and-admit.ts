import { realClock } from '../../lib/clock.ts'
import { admitGuests } from './admit-guests.ts'
import { createAudience, type Guest } from './audience.ts'
import { follow, type ShowSnapshot } from './follow.ts'
import { showProgress } from './progress.ts'
import { type Access, createShowApi } from './show-api.ts'
import { createShowStream } from './show-stream.ts'

/** The names in a show document by which its progress is shown; everything else in it is the API's to judge. */
export interface ShowFile {
  readonly recordings: readonly { name: string }[]
  readonly broadcasts?: readonly { name: string }[]
}

export interface FollowAndAdmitOptions {
  readonly access: Access
  readonly sandboxUrl: string
  readonly showId: string
  readonly show: ShowFile
  readonly guests: readonly Guest[]
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Seconds for publishing to be done after the show has ended. */
const PUBLISH_WAIT = 60

/** Brings the guests to a show, shows its progress to the end, and takes the guests out again however it ends. */
export async function followAndAdmit(company: FollowAndAdmitOptions): Promise<ShowSnapshot> {
  const { access, sandboxUrl, showId, show, guests, stream, signal } = company
  const sights = createShowStream()
  const over = new AbortController()
  const whileOn = AbortSignal.any([signal, over.signal])
  const api = createShowApi(access)
  const admit = (name: string) => api.admit(showId, name)
  const audience = createAudience({ sandboxUrl, guests, admit, clock: realClock, signal: whileOn })
  const visiting = admitGuests(sights, audience)
  const following = follow({
    api,
    showId,
    clock: realClock,
    signal: whileOn,
    onSight: sights.push,
    publishWait: PUBLISH_WAIT,
  })
  const namesOf = (resources: readonly { name: string }[] = []) => resources.map(({ name }) => name)
  const lists = { recordings: namesOf(show.recordings), broadcasts: namesOf(show.broadcasts) }
  const shown = showProgress(lists, sights, { stream, signal })
  try {
    const sight = await Promise.race([following, visiting.then(() => following)]) // or until a guest cannot come
    sights.end()
    return sight
  } catch (error) {
    sights.end(error)
    throw error
  } finally {
    over.abort()
    await Promise.allSettled([shown, following, visiting])
    await audience.leave()
  }
}
