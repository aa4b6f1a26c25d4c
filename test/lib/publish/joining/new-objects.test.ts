import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeNewObjects } from '../../../../lib/publish/joining/playlists.ts'
import { digestOf } from '../../../lambdas/stored-archives.ts'
import { openWorld, type World } from '../../../support/world.ts'

describe('storeNewObjects', () => {
  let world: World
  let read: string[]
  beforeEach(() => {
    world = openWorld()
    read = []
  })
  afterEach(() => world.close())

  const object = (uri: string) => ({
    uri,
    async *content() {
      read.push(uri)
      yield Buffer.from(`what ${uri} holds`)
    },
  })
  const uris = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `recordings/one-joined/joined/0123456789ab/${name}.mp4`)
  const store = () => storeNewObjects(uris.map(object), 30, world.services.storage)

  it('stores each and gives its row, in their order', async () => {
    const row = (key: string) => ({ role: 'hls-media', key, ...digestOf(Buffer.from(`what ${key} holds`)) })
    expect(await store()).toEqual(uris.map(row))
    expect([...read].sort()).toEqual(uris)
  })

  it('stores nothing twice, and what is not there any more again', async () => {
    const rows = await store()
    const { storage } = world.services
    await storage.delete(uris[2] ?? '')
    read = []
    expect(await store()).toEqual(rows)
    expect(read).toEqual([uris[2]])
  })

  it('throws the error of an unreadable object, and continues from there the next time', async () => {
    const down = new Error('the bucket is down')
    const broken = {
      uri: 'recordings/one-joined/joined/0123456789ab/g.mp4',
      content: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(down) }) }),
    }
    const objects = [...uris.map(object), broken]
    await expect(storeNewObjects(objects, null, world.services.storage)).rejects.toBe(down)
    expect(await world.services.storage.sizeOf(broken.uri)).toBeUndefined()
    read = []
    await store()
    expect(read).toEqual([])
  })
})
