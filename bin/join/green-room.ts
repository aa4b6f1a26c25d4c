import type { PlatformClient } from '../../lib/platform/client/client.ts'
import { PlatformNotFoundError } from '../../lib/platform/client/errors.ts'
import type { WaitingParticipant } from './waiting-participants.ts'

/** A participant of a show that is not live yet. */
export interface GreenRoomParticipant {
  readonly name: string
  /** True for a participant who publishes in the session. False for a participant who waits on the join page. */
  readonly hasJoined: boolean
  /** Show that a waiting participant has a link to. */
  readonly showId?: string
  /** Session of a participant. */
  readonly sessionId?: string
}

/** The participants of shows that are not live yet. */
export interface GreenRoom {
  /**
   * Returns the participants who wait on the join page, and the participants who publish in these sessions.
   * @throws PlatformError if the platform does not answer
   */
  participants(sessionIds: readonly string[]): Promise<readonly GreenRoomParticipant[]>
}

interface GreenRoomParts {
  readonly platform: Pick<PlatformClient, 'listStreams'>
  readonly waiting: () => readonly WaitingParticipant[]
}

export function createGreenRoom({ platform, waiting }: GreenRoomParts): GreenRoom {
  /** Lists the streams that people publish. Scenes are `custom`. */
  async function participantsOf(sessionId: string): Promise<GreenRoomParticipant[]> {
    try {
      const { items } = await platform.listStreams({ sessionId })
      return items
        .filter(({ videoType }) => videoType === 'camera')
        .map(({ name }) => ({ name: name || 'A participant', hasJoined: true, sessionId }))
    } catch (error) {
      if (error instanceof PlatformNotFoundError) return [] // a session without streams
      throw error
    }
  }
  return {
    async participants(sessionIds) {
      const joined = await Promise.all(sessionIds.map(participantsOf))
      return [...joined.flat(), ...waiting().map((participant) => ({ ...participant, hasJoined: false }))]
    },
  }
}
