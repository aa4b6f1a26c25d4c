import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createServicesOn } from '../../../../local/simulation/environment/services.ts'

describe('createServicesOn', () => {
  it('gives up what an AWS service does not answer, as soon as the clients of a function do', async () => {
    const given: unknown[] = []
    const outside = {
      fetch: () => Promise.reject(new Error('The platform is not called.')),
      async aws(_request: Request, patience?: number) {
        given.push(patience)
        return Response.json({ SecretString: '{"one":"value","one.for":["rtmps://live.example/"]}' })
      },
    }
    const { showSecrets } = createServicesOn(outside, {
      environment: { SHOW_SECRETS: 'shows/' },
      clock: createSteppedClock(0),
      random: () => 0,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    })
    await showSecrets.resolve({ secret: 'keys#one' }, 'rtmps://live.example/app')
    expect(given).toEqual([10])
  })
})
