import { expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createS3 } from '../../../../local/cloud/s3/s3.ts'

it('serves public objects without a signature, and nothing else', async () => {
  const s3 = createS3({
    clock: createSteppedClock(0),
    secretOf: () => 'secret',
    isPublic: (key) => key.startsWith('a/'),
  })
  onTestFinished(s3.close)
  s3.createBucket('live')
  const status = async (path: string, method = 'GET') =>
    (await s3.fetch(new Request(`http://s3.invalid/live/${path}`, { method }))).status
  expect([await status('a/b'), await status('a/b', 'HEAD')]).toEqual([404, 404])
  expect([await status('b/a'), await status(''), await status('a/b?tagging'), await status('a/b', 'PUT')]).toEqual([
    403, 403, 403, 403,
  ])
})
