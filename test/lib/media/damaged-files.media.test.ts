import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { damageMp4 } from '../../support/media/mutations.ts'
import { publishAll } from '../../support/media/publish-all.ts'
import { aac, h264, picture, tone, useClips } from './clips.ts'

/** Some of the seeds of the machine test, without ffmpeg. */
const SEEDS = 16

describe('damaged files', () => {
  const clips = useClips()
  let bytes: Buffer
  beforeAll(async () => {
    const path = await clips.make('whole.mp4', ...picture(1), ...tone(1), ...h264, ...aac)
    bytes = await readFile(path)
  })

  it('are read as far as they go, or refused as media', async () => {
    let [results, refusals] = [0, 0]
    for (let seed = 0; seed < SEEDS; seed++) {
      for await (const { task, error } of publishAll('mp4', damageMp4(bytes, seed), undefined)) {
        if (error === undefined) results += 1
        else refusals += 1
        if (error !== undefined)
          expect(error, `${task} of seed ${seed}`).toMatchObject({
            name: 'MediaError',
            message: expect.stringMatching(/\.$/),
          })
      }
    }
    expect(Math.min(results, refusals)).toBeGreaterThan(SEEDS / 4)
  })
})
