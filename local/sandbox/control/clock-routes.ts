import { Hono } from 'hono'
import { z } from 'zod'
import { type Clock, isStepped } from '../../../lib/clock.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { parse, readJsonBody } from '../http/validation.ts'

const TEN_YEARS = 10 * 366 * 86_400 // seconds

const step = z.strictObject({ advanceSeconds: z.number().min(0).max(TEN_YEARS) })

/**
 * Creates the routes that read the sandbox's clock and advance it, if it is stepped.
 * @param settled awaited once the clock has moved, so that the answer follows everything that fell due
 */
export function createClockRoutes({ clock, settled }: { clock: Clock; settled: () => Promise<void> }): Hono<Variables> {
  const routes = new Hono<Variables>()
  let moved: Promise<unknown> = Promise.resolve()

  routes.get('/sandbox/clock', (c) => {
    c.set('operation', 'getClock')
    return c.json({ now: clock.now() })
  })

  routes.post('/sandbox/clock', async (c) => {
    c.set('operation', 'advanceClock')
    const { advanceSeconds } = parse(step, readJsonBody(await c.req.text()))
    if (!isStepped(clock)) throw new Refusal(409, 'The clock is real: start the sandbox with --clock stepped.')
    const move = moved.then(async () => {
      await clock.advance(Math.round(advanceSeconds * 1000))
      await settled()
      return clock.now()
    })
    moved = move.catch(() => {}) // the request that asked for the move gets the error
    return c.json({ now: await move })
  })

  return routes
}
