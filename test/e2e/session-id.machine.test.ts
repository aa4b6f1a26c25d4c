import { describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import { deploy } from './aws-alike/deployment.ts'
import { steppedPace } from './aws-alike/pace.ts'

const webinar: ShowDocument = { version: 1, name: 'Webinar', duration: 60, recordings: [{ name: 'program' }] }

describe('a show that was posted', () => {
  it('reports its session before 5 s have passed, in which nothing of it waits', async () => {
    const pace = steppedPace(Date.UTC(2030, 4, 6, 12))
    const stack = await deploy({ pace })
    await pace.drive(async () => {
      const posted = stack.clock.now()
      const showId = await stack.post(webinar)
      await pace.until(() => stack.eventsOf(showId, 'session.opened').length > 0)
      const { body } = await stack.call(`GET /shows/${showId}`, { as: 'viewer' })
      expect(body.sessionId).toMatch(/\w/)
      expect(stack.clock.now() - posted).toBeLessThan(5_000)
    })
    await stack.close()
  })
})
