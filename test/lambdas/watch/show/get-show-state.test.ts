import { afterEach, describe, expect, it } from 'vitest'
import { handler } from '../../../../lambdas/watch/watch.ts'
import type { WatchedShow } from '../../../../lib/api/watched-show.ts'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { invoke, openWorld, START_TIME, type World } from '../../../support/world.ts'
import { archiveId, manifest } from '../../api/recordings/recording.ts'
import { type Answer, acceptShow, getOf, showId } from './watched-show.ts'

let world: World
afterEach(() => world.close())

const get = (address: string, headers?: Record<string, string>) => getOf(world, address, headers)
function accept(changes?: object) {
  world = openWorld()
  return acceptShow(world, changes)
}
const change = (changes: Partial<ShowState>) =>
  world.services.records.updateState(showId, (state) => ({ ...state, ...changes }))
const stateOf = (url: string) => url.replace(/(\?|$)/, '/state$1')
const read = async (url: string): Promise<WatchedShow> => JSON.parse((await get(stateOf(url))).body)
const publish = (changes: Partial<Manifest> = {}) =>
  world.services.records.writeManifest({ ...manifest, ...changes }, async () => true)

const live = [
  { name: 'live', part: 1, tag: 'a-show/live/1', hls: 'https://cdn.example.com/1.m3u8', status: 'started' as const },
]
const recordings = [{ name: 'program', part: 1, tag: 'a-show/program/1', archiveId }]
const over = { status: 'succeeded' as const, endedAt: START_TIME, recordings }

describe('GET /watch/show/{id}/state', () => {
  it('shows when it starts, what is live, and its recordings, at one address', async () => {
    const { url, expiresAt } = await accept({ start: { at: '2199-01-01T19:00', zone: 'Europe/Berlin' } })
    expect(expiresAt).toBe('2199-01-02T19:00:00.000Z')
    expect(await read(url)).toEqual({
      ...{
        showId,
        isSeries: false,
        phase: 'before',
        startsAt: '2199-01-01T18:00:00.000Z',
        cover: null,
        accentColor: '#1a73e8',
      },
      ...{ live: null, recordings: [], isPublishing: false },
    })
    await change({ status: 'live', broadcasts: live })
    const playing = { playlist: 'https://cdn.example.com/1.m3u8', dvr: true, lowLatency: false }
    expect(await read(url)).toMatchObject({ phase: 'live', startsAt: null, live: playing })
    const second = { ...live[0], part: 2, hls: 'https://cdn.example.com/2.m3u8' } as (typeof live)[0]
    await change({ broadcasts: [...live, second] })
    expect((await read(url)).live?.playlist).toBe('https://cdn.example.com/2.m3u8')
    await change(over)
    expect(await read(url)).toMatchObject({ phase: 'after', live: null, recordings: [], isPublishing: true })
    await publish()
    const { recordings: shown, isPublishing } = await read(url)
    expect([shown.map(({ name }) => name), isPublishing]).toEqual([['program'], false])
    const path = shown[0]?.path ?? ''
    expect(new URL(path, url).searchParams.get('expires')).toBe(new URL(url).searchParams.get('expires'))
    const { pathname, searchParams } = new URL(path, url)
    const recording = (await invoke(handler, world.services, {
      ...{ version: '2.0', rawPath: pathname, headers: {}, pathParameters: { archiveId } },
      queryStringParameters: Object.fromEntries(searchParams),
      requestContext: { http: { method: 'GET', path: `${pathname}/recording` } },
    })) as Answer
    expect(JSON.parse(recording.body)).toMatchObject({ archiveId })
  })

  it('has the same ETag until it changes', async () => {
    const { url } = await accept()
    const { headers } = await get(stateOf(url))
    await world.clock.advance(60_000)
    const known = { 'if-none-match': `W/${headers.etag}` }
    expect(await get(stateOf(url), known)).toMatchObject({ statusCode: 304, headers: { etag: headers.etag } })
    await change({ status: 'live', broadcasts: live })
    expect((await get(stateOf(url), known)).statusCode).toBe(200)
  })

  it('leads to no recording that failed or whose links were revoked', async () => {
    const { url } = await accept()
    await change(over)
    await publish({ status: 'failed' })
    expect(await read(url)).toMatchObject({ recordings: [], isPublishing: false })
    await publish({ epoch: 1 })
    expect(await read(url)).toMatchObject({ recordings: [], isPublishing: false })
  })

  it('waits for recordings for a day', async () => {
    const { url } = await accept()
    await change({ ...over, endedAt: new Date(world.clock.now()).toISOString() })
    expect((await read(url)).isPublishing).toBe(true)
    await world.clock.advance(86_400_000)
    expect((await read(url)).isPublishing).toBe(false)
  })

  it('is open to all for a public show, whose recordings are as well', async () => {
    const { url } = await accept({ publish: { access: 'public' } })
    await change(over)
    await publish({ access: 'public' })
    expect((await read(url)).recordings).toEqual([{ name: 'program', path: `/watch/${archiveId}`, startedAt: null }])
  })
})
