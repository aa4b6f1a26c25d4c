import { expect, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { createPublishedKeys } from '../../../../../local/simulation/environment/keys/published-keys.ts'

const key = (kid: string) => ({ kid, kty: 'OKP', crv: 'Ed25519', x: kid })

it('createPublishedKeys remembers keys that a rotation removed', async () => {
  const answers = [
    [key('first'), key('second')],
    [key('second'), key('third')],
  ]
  const api = async () => Response.json({ keys: answers.shift() })
  const published = createPublishedKeys({ cloud: { api }, clock: createSteppedClock(0) })
  await published.read()
  expect((await published.read()).map(({ kid }) => kid)).toEqual(['first', 'second', 'third'])
})
