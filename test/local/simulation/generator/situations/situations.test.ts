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
  stoppedInPause: ({ plan }) => asks(plan, 'stop'),
  withheld: ({ chaos }) => chaos.replacesFile,
  failedBroadcast: ({ chaos }) => chaos.failures?.some(({ of }) => of === 'broadcast'),
  clippedByTimes: ({ plan }) => asks(plan, 'deleteClip'),
  forgottenBroadcast: ({ chaos }) => chaos.forgetsBroadcasts,
  refused: ({ show }) => show.recordings.some(({ parts }) => parts === false),
  nextLayouts: ({ plan }) => plan.controls.filter(({ control }) => control.what === 'change').length === 3,
  measured: ({ chaos }) => chaos.insights === 'advanced',
  silentApp: ({ plan }) => plan.appOutages.some(({ answers }) => answers === 'silence'),
  failingAdditions: ({ aims }) => aims.length > 0,
  restoredRecording: ({ plan }) => plan.edits?.edits.some(({ edit }) => edit.what === 'restore'),
  calledBack: ({ chaos }) => chaos.callbacks,
  failedAgainAndAgain: ({ chaos }) => chaos.failures?.some(({ isNextPart }) => isNextPart),
  startedDirectly: ({ plan }) => plan.startsDirectly,
  handedOver: ({ show }) => (show.duration ?? 0) > 14_400,
  deletedPermanently: ({ plan }) => plan.edits?.awaitsPurge,
  clipped: ({ plan }) => plan.controls.length === 3 && asks(plan, 'clip'),
  series: ({ plan }) => plan.occurrences > 1,
  controlled: ({ plan }) => plan.controls.some(({ control }) => control.what === 'marker' && control.seconds === 3_600),
}
const asks = ({ controls }: Situation['plan'], what: string) => controls.some(({ control }) => control.what === what)

describe('situationOf', () => {
  it('gives a situation to two seeds of five', () => {
    expect(situations.flatMap(({ seed, situation }) => (situation ? seed % 5 : []))).toEqual(
      Array(10).fill([2, 4]).flat(),
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
