import { limits } from '../../../../lib/platform/contract/limits.ts'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { SimulatedParticipant } from '../../environment/participants.ts'
import type { Draws } from '../draws.ts'
import { mayPause } from '../pauses.ts'
import type { PlannedControl } from './controls.ts'

/** Seconds before the limit of an archive at which its next part begins. */
const LEAD = 120
/** Seconds from the start of a next part in which both parts run. */
const BOTH_RUN = { least: 3, most: 11 }

/** Draws controls whose effect is that of two parts: a selection of streams that the next part keeps, and a pause while both run. */
export const randomHandoverControls = (
  draws: Draws,
  show: ShowDocument,
  participants: readonly SimulatedParticipant[],
): PlannedControl[] => [...randomSelection(draws, show, participants), ...randomPauseOfBoth(draws, show)]

/** Draws an early selection of streams for a recording that continues with it. Three of four shows with such recordings have one. */
function randomSelection(
  { chance, between }: Draws,
  { recordings }: ShowDocument,
  participants: readonly SimulatedParticipant[],
): PlannedControl[] {
  const manual = recordings.filter(({ streamMode, parts }) => streamMode === 'manual' && parts !== false)
  const present = participants.filter(({ joinsAt, publishes = true }) => joinsAt === undefined && publishes)
  if (manual.length === 0 || present.length === 0 || chance(0.25)) return []
  const streams = present.flatMap(({ name: add }) => manual.map(({ name: recording }) => ({ recording, add })))
  return [early('selected-streams', between(10, 40), { what: 'change', streams: streams.slice(0, 6) })]
}

/** Draws a pause while two parts of a recording run. Three of five shows with such recordings have one. */
function randomPauseOfBoth({ chance, between, oneOf }: Draws, show: ShowDocument): PlannedControl[] {
  const begins = limits.archiveDuration.value - LEAD
  const recordings = show.recordings.filter((one) => mayPause(one) && !one.pauses?.length)
  if (recordings.length === 0 || maxSecondsOf(show) < begins + 900 || chance(0.4)) return []
  const { name: recording } = oneOf(recordings)
  const from = begins + between(BOTH_RUN.least, BOTH_RUN.most)
  return [
    early('pause-of-both', from, { what: 'pause', recording }),
    early('resumed-both', from + between(30, 600), { what: 'resume', recording }),
  ]
}

const early = (key: string, at: number, control: PlannedControl['control']): PlannedControl => ({
  ...{ at, after: 'live', key, posts: 1, together: false },
  control,
})
