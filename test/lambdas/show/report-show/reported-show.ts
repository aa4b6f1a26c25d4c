import { onTestFinished } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { openWorld } from '../../../support/world.ts'
import { bringLive, run, settled } from '../../run.ts'

const showId = 'a-show'
export const PLANNED_END = 'The planned end was reached.'

interface End {
  readonly sessionId: string | null
  readonly reason?: string | null
  readonly failure?: { readonly Error: string; readonly Cause?: string } | null
}

/** Opens a world, and the tasks that end and report its show. */
export function openReporting() {
  const world = openWorld()
  onTestFinished(() => world.close())
  const stop = async ({ sessionId, reason = null, failure = null }: End) => {
    await run(world, 'stopShow', { showId, sessionId, reason, failure })
    await settled(world)
  }
  return {
    world,
    /** Ends a show. Returns once everything that it started has settled. */
    stop,
    report: ({ sessionId, reason = null, failure = null }: End) =>
      run(world, 'reportShow', { showId, sessionId, reason, failure }),
    result: () => world.services.records.readResult(showId),
    /** Returns the details of the owner events of a type. */
    eventsOf: (type: string) =>
      world.ownerEvents.filter((event) => event['detail-type'] === type).map(({ detail }) => detail),
    /** Opens a show that has been live for 20 seconds, and a function that ends it as planned. */
    async openLiveShow(document?: ShowDocument) {
      const show = await bringLive(world, document)
      await world.clock.advance(20_000)
      return { ...show, stopAsPlanned: () => stop({ sessionId: show.sessionId, reason: PLANNED_END }) }
    },
  }
}
