import type { Services } from '../../services.ts'
import { TaskConfigError } from '../../tasks/errors.ts'
import { isUncertain } from '../run/platform-errors.ts'
import { withEntry } from '../run/resource-entries.ts'
import type { DialInState } from '../state/resources.ts'

type Playing = Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock' | 'newId'>

interface AnsweredCall {
  readonly showId: string
  readonly sessionId: string
  /** Name of the dial-in. */
  readonly name: string
  readonly connectionId: string
}

/**
 * Plays the tones of a dial-in once, after it was answered. The request is noted first, so that a repeated callback does not repeat
 * it. A lost answer is reported and never retried, because a PIN that is entered twice is wrong.
 */
export async function playDtmfOnce(services: Playing, call: AnsweredCall): Promise<void> {
  const { shows, showSecrets, clock, newId } = services
  const { showId, sessionId, name, connectionId } = call
  const [{ show }, before] = await Promise.all([shows.request(showId), shows.state(showId)])
  const entry = before.dialIns.find((one) => one.name === name)
  const { tones, uri } = show.dialIns.find((one) => one.name === name) ?? entry?.order ?? {}
  if (!tones || uri === undefined || entry?.tonesAskedAt) return

  const askedBy = newId()
  const tonesAskedAt = new Date(clock.now()).toISOString()
  const state = await change(services, call, (latest) =>
    latest.tonesAskedAt || latest.status === 'ended' ? latest : { ...latest, tonesAskedAt, tonesAskedBy: askedBy },
  )
  if (state.dialIns.find((one) => one.name === name)?.tonesAskedBy !== askedBy || state.endedAt || state.stopAskedAt)
    return

  try {
    const digits = typeof tones === 'string' ? tones : await showSecrets.resolve(tones, uri)
    await (await services.platform()).playDtmfToConnection({ sessionId, connectionId, digits })
    await change(services, call, (latest) => ({ ...latest, tones: 'played' }), 'dialIn.tonesPlayed')
  } catch (error) {
    const isUnknown = isUncertain(error)
    // The platform's message may repeat the digits, which may be secret.
    const isOurs = error instanceof TaskConfigError || typeof tones === 'string'
    const detail = error instanceof Error && isOurs && !isUnknown ? error.message : undefined
    await change(
      services,
      call,
      (latest) => ({ ...latest, tones: isUnknown ? ('unknown' as const) : ('failed' as const) }),
      isUnknown ? 'dialIn.tonesUnknown' : 'dialIn.tonesFailed',
      detail,
    )
  }
}

function change(
  { shows }: Playing,
  { showId, name }: AnsweredCall,
  next: (entry: DialInState) => DialInState,
  what?: 'dialIn.tonesPlayed' | 'dialIn.tonesUnknown' | 'dialIn.tonesFailed',
  detail?: string,
) {
  const happened = what ? [{ what, name, ...(detail && { detail }) }] : []
  return shows.update(showId, (state) => ({ ...state, dialIns: withEntry(state.dialIns, name, next) }), ...happened)
}
