import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { addresses } from '../environment/addresses.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import { createDraws } from '../generator/draws.ts'
import type { Random } from '../scheduling/random.ts'

/** A show of many, with the time at which its app posts it. */
export interface PlannedShow {
  readonly show: ShowDocument
  readonly participants: readonly SimulatedParticipant[]
  /** Milliseconds since the epoch. */
  readonly postedAt: number
  /** Seconds after the post until its app stops it. @default never */
  readonly stoppedAfter?: number
}

/** Share of shows that start on the hour, as webinars do. The others start when they are posted, at any time. */
const ON_THE_HOUR = 0.8
/** Seconds before its start by which a show is posted. */
const LEAD = { min: 300, max: 3_000 } as const
/** Seconds of live time. */
const DURATION = { min: 600, max: 3_600 } as const

/**
 * Draws shows that start within some hours. Most are scheduled for a full hour.
 * @param now start of the first hour, in milliseconds since the epoch
 */
export function drawWebinars(random: Random, { shows, hours, now }: { shows: number; hours: number; now: number }) {
  const draws = createDraws(random)
  return draws.times(shows, (index): PlannedShow => {
    const isOnTheHour = draws.chance(ON_THE_HOUR)
    const start = now + 3_600_000 * draws.between(1, hours)
    const postedAt = isOnTheHour
      ? start - 1_000 * draws.between(LEAD.min, LEAD.max)
      : now + 1_000 * draws.between(0, hours * 3_600)
    const show = drawShow(draws, index)
    return {
      show: isOnTheHour ? { ...show, start: { at: new Date(start).toISOString() } } : show,
      participants: drawParticipants(draws),
      postedAt,
      ...draws.maybe(0.02, 'stoppedAfter', () => draws.between(LEAD.max, 2 * DURATION.max)),
    }
  })
}

const drawShow = ({ between, chance, maybe, times }: ReturnType<typeof createDraws>, index: number): ShowDocument => ({
  version: 1.1,
  name: `Webinar ${index + 1}`,
  duration: between(DURATION.min, DURATION.max),
  recordings: times(chance(0.2) ? 2 : 1, (number) => ({ name: ['program', 'speakers'][number] ?? 'more' })),
  ...maybe(0.3, 'broadcasts', () => [{ name: 'live', hls: {} }]),
  ...maybe(0.5, 'callback', () => ({ url: `${addresses.app}/events` })),
})

/** Draws two to four people. One show in fifty has none, and is cancelled. */
const drawParticipants = ({ between, chance, times }: ReturnType<typeof createDraws>): SimulatedParticipant[] =>
  chance(0.02)
    ? []
    : [
        { name: 'Ada', comesAt: between(0, 300) },
        ...times(between(1, 3), (index) => ({ name: `Guest ${index + 1}`, joinsAt: between(0, DURATION.min) })),
      ]
