import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createShowApi } from '../../bin/shows/show-api.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { decodeEveryFrame } from '../lib/media/joining/decode-joined.ts'
import { findCells, readCellTimecode } from '../support/media/cells.ts'
import { startProgram } from '../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

const SHOW = {
  ...{ version: 1, name: 'Talk', duration: 1_200, recordings: [{ name: 'program' }] },
  broadcasts: [{ name: 'live', hls: {} }],
}
/** A CDN that nothing answers for: playlists of broadcasts cannot be read. */
const UNREACHABLE = 'http://127.0.0.1:9'
const PATIENCE = { timeout: 300_000, interval: 200 }

let directory: string
let laptop: ReadyProgram<LocalAddresses>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'showrunner-queued-'))
  laptop = await startLocal(join(directory, 'local'), ['--origin', UNREACHABLE])
})
afterAll(async () => {
  await laptop?.stop()
  await rm(directory, { recursive: true, force: true })
})

it('a clip of a broadcast that cannot be read waits for the recording, and is cut out of it', async () => {
  const api = createShowApi(laptop.ready)
  const file = join(directory, 'talk.json')
  await writeFile(file, JSON.stringify(SHOW))
  const run = startProgram(['run', file, '--participants', '1', '--directory', join(directory, 'local')]).ended
  const show = await vi.waitUntil(async () => {
    const [listed] = await Array.fromAsync(api.shows.list())
    const found = listed && (await api.shows.get(listed.showId))
    const hasBegun = found?.recordings[0]?.archiveId !== undefined && found.broadcasts[0]?.hls !== undefined
    return hasBegun && found.liveAt !== undefined && Date.now() - Date.parse(found.liveAt) > 5_000 && found
  }, PATIENCE)
  expect(show.broadcasts[0]?.hls?.startsWith(UNREACHABLE)).toBe(true)
  const ordered = await api.clips.createLive(show.showId, { name: 'Demo', from: 1.5, to: 4 })
  expect(ordered).toMatchObject({ status: 'queued', broadcast: 'live', from: 1.5, to: 4 })
  expect([ordered.hls, ordered.watch]).toEqual([undefined, undefined])

  await api.controls.stop(show.showId)
  expect((await run).code).toBe(0)
  const clip = await vi.waitUntil(async () => {
    const found = await api.clips.getLive(show.showId, ordered.clipId)
    return found.status !== 'queued' && found.status !== 'cutting' && found
  }, PATIENCE)
  expect(clip).toMatchObject({ status: 'published', from: 1.5, to: 4 })
  const path = join(directory, 'clip.mp4')
  await writeFile(path, Buffer.from(await (await fetch(clip.file?.url ?? '')).arrayBuffer()))
  const { frames } = await decodeEveryFrame(await findFfmpeg(), path)
  const codes = frames.map((picture) => {
    const [cell] = findCells(picture).values()
    return (cell && readCellTimecode(picture, cell)) ?? Number.NaN
  })
  expect(codes.every((code, index) => code === (codes[0] ?? 0) + index)).toBe(true)
  expect(Math.abs(codes.length - 75)).toBeLessThanOrEqual(1) // it may begin and end within frames
})
