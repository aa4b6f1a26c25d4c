import { describe, expect, it } from 'vitest'
import { show } from '../../../../lib/show/document/show.ts'

const document = {
  name: 'A',
  duration: 20,
  recordings: [
    { name: 'program' },
    { name: 'small', resolution: '640x480' },
    { name: 'tracks', outputMode: 'individual' },
    { name: 'audio', hasVideo: false },
  ],
  broadcasts: [{ name: 'live', hls: {} }],
}
const sizesOf = (version: number) => {
  const { recordings, broadcasts } = show.parse({ ...document, version })
  return [...recordings, ...broadcasts].map(({ resolution }) => resolution)
}

describe('picture', () => {
  it('is 1280x720 where a document of version 1.1 orders none', () => {
    expect(sizesOf(1.1)).toEqual(['1280x720', '640x480', undefined, undefined, '1280x720'])
  })

  it('is what the platform chooses where a document of version 1 orders none', () => {
    expect(sizesOf(1)).toEqual([undefined, '640x480', undefined, undefined, undefined])
  })

  it('names the sizes that the platform composes', () => {
    const recordings = [{ name: 'program', resolution: '3840x2160' }]
    expect(show.safeParse({ ...document, version: 1.1, recordings }).error?.issues[0]?.message).toBe(
      'must be 640x480, 1280x720, 1920x1080, 480x640, 720x1280 or 1080x1920: the platform composes no other size',
    )
  })
})
