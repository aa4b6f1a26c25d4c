import { describe, expect, it } from 'vitest'
import { parseShow } from '../../../../../lib/show/document/show.ts'
import { createDraws } from '../../../../../local/simulation/generator/draws.ts'
import type { Situation } from '../../../../../local/simulation/generator/situations/situation.ts'
import { randomSeedsBefore, situationOf } from '../../../../../local/simulation/generator/situations/situations.ts'
import { createRandom } from '../../../../../local/simulation/scheduling/random.ts'

const BEGINNING = Date.UTC(2030, 0, 1)
const situations = Array.from({ length: 50 }, (_, seed) => ({
  seed,
  situation: situationOf(seed, createDraws(createRandom(seed, 'situation')), BEGINNING),
}))
const found = situations.flatMap(({ situation }) => situation ?? [])

/** What happens in each situation. */
const kinds: Readonly<Record<string, (situation: Situation) => unknown>> = {
  replaced: ({ show, plan }) => plan.occurrences === 1 && show.start && asks(plan, 'replace'),
  stoppedInPause: ({ plan }) => plan.others && asks(plan, 'stop'),
  accepted: ({ chaos }) => chaos.replacesFile === 'shorter',
  failedBroadcast: ({ show, chaos }) => show.duration === null && chaos.failures,
  clippedByTimes: ({ plan }) => asks(plan, 'deleteClip'),
  forgottenBroadcast: ({ chaos }) => chaos.forgetsBroadcasts,
  refused: ({ show }) => show.recordings.some(({ name }) => name === 'whole'),
  nextLayouts: ({ plan }) => plan.controls.filter(({ control }) => control.what === 'change').length === 3,
  missed: ({ aims }) => aims.some(({ operation }) => operation === 'lambda SweepShows'),
  lostDials: ({ aims }) => aims.some(({ operation }) => operation === 'platform playDtmfToConnection'),
  failingAdditions: ({ aims }) => aims.some(({ operation }) => operation === 'platform setArchiveLayout'),
  restoredRecording: ({ plan }) => plan.edits?.edits.some(({ edit }) => edit.what === 'delete' && edit.permanently),
  calledBack: ({ chaos, plan }) => chaos.callbacks && plan.others,
  failedAgainAndAgain: ({ chaos, aims }) => (chaos.failures?.length ?? 0) > 1 && aims.length === 0,
  startedDirectly: ({ plan }) => plan.startsDirectly,
  handedOver: ({ show, plan }) => (show.duration ?? 0) > 14_400 && plan.appOutages.length > 0,
  deletedFinally: ({ plan }) => plan.edits?.awaitsPurge,
  rejected: ({ chaos, plan }) => chaos.replacesFile && plan.edits?.judgement === 'reject',
  series: ({ plan, aims }) => plan.occurrences > 1 && aims.length > 0,
  controlled: ({ chaos, plan }) =>
    chaos.insights === 'advanced' &&
    plan.controls.some(({ control }) => control.what === 'marker' && control.seconds === 3_600),
  unstableOutputs: ({ chaos }) => (chaos.unstableOutputs?.length ?? 0) > 2,
  lateStarts: ({ aims }) =>
    aims.some(({ operation, kind }) => operation === 'platform startArchive' && kind === 'delayed'),
  lostRecordings: ({ chaos, plan }) => chaos.failures && asks(plan, 'clip'),
  composedAlone: ({ plan }) => plan.participants.length === 1,
  swept: ({ chaos }) => chaos.aborts,
}
const asks = ({ controls }: Situation['plan'], what: string) => controls.some(({ control }) => control.what === what)

describe('situationOf', () => {
  it('gives a situation to every other seed', () => {
    expect(situations.map(({ situation }) => situation !== undefined)).toEqual(
      situations.map(({ seed }) => seed % 2 === 0),
    )
  })

  it('has shows that are accepted as they are', () => {
    for (const { show } of found) expect(() => parseShow(show)).not.toThrow()
  })

  it.each(Object.keys(kinds))('has the situation %s once in fifty seeds', (kind) => {
    expect(found.filter((situation) => kinds[kind]?.(situation))).toHaveLength(1)
  })
})

describe('randomSeedsBefore', () => {
  it('numbers the seeds without a situation', () => {
    const random = situations.flatMap(({ seed, situation }) => (situation ? [] : randomSeedsBefore(seed)))
    expect(random).toEqual(random.map((_, index) => index))
  })
})
