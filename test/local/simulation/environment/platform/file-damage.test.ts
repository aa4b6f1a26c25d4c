import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { RecordedFile } from '../../../../../local/sandbox/media/media.ts'
import { createFileDamage, type Damage } from '../../../../../local/simulation/environment/platform/file-damage.ts'

const bytes = Buffer.from('ten bytes.')
const file: RecordedFile = {
  ...{ size: bytes.length, seconds: 1, sha256: 'hash', discard: async () => {} },
  open: ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)]),
}
const download = new Request('http://platform.invalid/downloads/one/0/signature/archive.mp4')

function order(more: { truncatedFiles?: number; downloads?: Damage[] }) {
  const kinds: string[] = []
  const damage = createFileDamage()
  damage.order({ truncatedFiles: 0, downloads: [], onDamage: (kind) => kinds.push(kind), ...more })
  return { damage, kinds }
}

describe('createFileDamage', () => {
  it('truncates as many files as ordered, and keeps what the platform reports of them', async () => {
    const { damage, kinds } = order({ truncatedFiles: 1 })
    const [first, second] = [damage.truncate('one', file), damage.truncate('two', file)]
    expect(`${await buffer(first.open())}`).toBe('ten b')
    expect(first.size).toBe(10)
    expect(`${await buffer(second.open())}`).toBe('ten bytes.')
    expect([...damage.files.keys()]).toEqual(['one', 'two'])
    expect(kinds).toEqual(['truncated file'])
  })

  it.each<[Damage, string]>([
    ['truncated', 'ten b'],
    ['longer', 'ten bytes..'],
    ['altered', 'ten bytes\u00d1'],
  ])('makes one download %s', async (kind, expected) => {
    const { damage, kinds } = order({ downloads: [kind] })
    const answer = await damage.apply(download, new Response(bytes))
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toBe(expected)
    expect(await (await damage.apply(download, new Response(bytes))).text()).toBe('ten bytes.')
    expect(kinds).toEqual(['damaged download'])
  })

  it('spares refusals and other requests', async () => {
    const { damage, kinds } = order({ downloads: ['altered'] })
    expect(await (await damage.apply(download, new Response('no', { status: 404 }))).text()).toBe('no')
    const list = new Request('http://platform.invalid/v2/project/1234/archive')
    expect(await (await damage.apply(list, new Response('list'))).text()).toBe('list')
    expect(kinds).toEqual([])
  })
})
