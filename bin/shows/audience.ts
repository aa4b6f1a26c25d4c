import { realClock } from '../../lib/clock.ts'
import { joinSession, type Participant } from '../../local/sandbox/participants/client.ts'
import type { SimulatedParticipant as PlannedParticipant } from '../../local/simulation/environment/participants.ts'
import type { ShowStream } from './show-stream.ts'

/** A participant who publishes audio and video from joining to leaving. */
export type AudienceParticipant = Pick<PlannedParticipant, 'name' | 'joinsAt' | 'leavesAt'>

/** Lets the participants who join at once wait until the show is live, so that another participant is the first. */
export const afterTheFirst = (participants: readonly AudienceParticipant[]): readonly AudienceParticipant[] =>
  participants.map((participant) => ({ joinsAt: 0, ...participant }))

export interface AudienceOptions {
  readonly sandboxUrl: string
  readonly participants: readonly AudienceParticipant[]
  /** Requests the token with which a participant connects, as an event app does. Returns undefined once the show is over. */
  readonly admit: (name: string) => Promise<string | undefined>
  readonly signal: AbortSignal
}

/** Creates the audience of a show: participants who connect to its session. */
export function createAudience({ sandboxUrl, participants, admit, signal }: AudienceOptions) {
  const present = new Map<string, Participant>()

  /** Takes no signal: a join that is not awaited would leave a participant behind. */
  const join = async (sessionId: string, name: string) => {
    signal.throwIfAborted()
    const token = await admit(name)
    if (token === undefined) return
    const participant = await joinSession({ url: sandboxUrl, sessionId, token })
    present.set(name, participant)
    await participant.publish({ name })
  }
  const leave = async (name: string) => {
    const participant = present.get(name)
    present.delete(name)
    await participant?.leave()
  }
  const until = (time: number) => realClock.sleep(Math.max(0, time - realClock.now()), signal)

  return {
    /**
     * Lets participants join and leave at their times. Resolves after the last, or when the stream ends.
     * @throws Error when one cannot join or leave
     */
    async attend(snapshots: ShowStream) {
      const sessionId = await snapshots.until(({ show }) => show.sessionId)
      if (sessionId === undefined) return
      for (const { name, joinsAt } of participants) if (joinsAt === undefined) await join(sessionId, name)
      const liveAt = await snapshots.until(({ show }) => show.liveAt)
      if (liveAt === undefined) return
      const since = Date.parse(liveAt)
      const visits = participants.map(async ({ name, joinsAt, leavesAt }) => {
        if (joinsAt !== undefined) {
          await until(since + joinsAt * 1000)
          await join(sessionId, name)
        }
        if (leavesAt !== undefined) {
          await until(since + leavesAt * 1000)
          await leave(name)
        }
      })
      await Promise.all(visits)
    },
    /** Disconnects everyone, even after the signal was aborted. */
    async leave() {
      for (const name of [...present.keys()]) await leave(name)
    },
  }
}
