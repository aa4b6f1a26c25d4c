import { describe, expect, it } from 'vitest'
import { readAhead } from '../../../../lib/media/clips/read-ahead.ts'

const listed = (count: number) => Array.from({ length: count }, (_, index) => ({ uri: `segment-${index}` }))

/** A reader that notes what it reads. */
function createReader(sizeOf: (uri: string) => number = () => 1) {
  const requests: string[] = []
  return {
    requests,
    read: async (uri: string, range?: { readonly offset: number }) => {
      requests.push(range ? `${uri}@${range.offset}` : uri)
      return new Uint8Array(sizeOf(uri))
    },
  }
}

describe('readAhead', () => {
  it('begins to read the next objects of a list, and reads each once for several passes', async () => {
    const { requests, read } = createReader()
    const list = listed(10)
    const ahead = readAhead(read, [list])
    await ahead('segment-0')
    expect(requests).toEqual(listed(7).map(({ uri }) => uri))
    for (let pass = 0; pass < 2; pass++) for (const { uri } of list) await ahead(uri)
    expect(requests).toEqual(list.map(({ uri }) => uri))
  })

  it('distinguishes ranges of one object', async () => {
    const { requests, read } = createReader()
    const ranges = [0, 5].map((offset) => ({ uri: 'media', range: { offset, size: 5 } }))
    const ahead = readAhead(read, [ranges])
    await ahead('media', { offset: 0, size: 5 })
    await ahead('media', { offset: 5, size: 5 })
    expect(requests).toEqual(['media@0', 'media@5'])
  })

  it('keeps the latest 64 MiB', async () => {
    const { requests, read } = createReader(() => 40 * 2 ** 20)
    const ahead = readAhead(read, [])
    for (const uri of ['one', 'two', 'two', 'one']) await ahead(uri)
    expect(requests).toEqual(['one', 'two', 'one'])
  })

  it('reads an object again that could not be read', async () => {
    let attempts = 0
    const ahead = readAhead(async () => {
      if (attempts++ === 0) throw new Error('refused')
      return new Uint8Array(1)
    }, [])
    await expect(ahead('one')).rejects.toThrow('refused')
    expect(await ahead('one')).toHaveLength(1)
  })
})
