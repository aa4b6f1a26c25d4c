import { type AudienceParticipant, createAudience } from './audience.ts'
import { pollShow, type ShowSnapshot } from './poll-show.ts'
import type { RunningPublishes } from './running-publishes.ts'
import { type Access, admit, createShowApi } from './show-api.ts'
import type { ShowStream } from './show-stream.ts'

export interface FollowOptions {
  readonly access: Access
  /** Base URL of the sandbox that the participants connect to. */
  readonly sandboxUrl: string
  readonly showId: string
  readonly participants: readonly AudienceParticipant[]
  /** The publishes to wait for after the show has ended. @default none */
  readonly publishes?: RunningPublishes
  /** Milliseconds between polls. @default 500 */
  readonly interval?: number
  readonly signal: AbortSignal
}

/**
 * Polls a show to its end while its participants join and leave, and disconnects them in any case.
 * @param snapshots receives each snapshot, and ends with the show or with the error
 * @throws Error when the show cannot be read, a participant cannot join or leave, or `signal` aborts
 */
export async function followShow(options: FollowOptions, snapshots: ShowStream): Promise<ShowSnapshot> {
  const { access, sandboxUrl, showId, participants, publishes, interval } = options
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const api = createShowApi(access)
  const audience = createAudience({
    sandboxUrl,
    participants,
    admit: (name) => admit(api, showId, name),
    signal,
  })
  const attending = audience.attend(snapshots)
  const polling = pollShow({ api, showId, signal, onSnapshot: snapshots.push, publishes, interval })
  try {
    const last = await Promise.race([polling, attending.then(() => polling)]) // or until a participant fails
    snapshots.end()
    return last
  } catch (error) {
    snapshots.end(error)
    throw error
  } finally {
    over.abort()
    await Promise.allSettled([polling, attending])
    await audience.leave()
  }
}
