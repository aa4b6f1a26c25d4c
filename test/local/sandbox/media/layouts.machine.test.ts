import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../../bin/local/root.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { findCells } from '../../../support/media/cells.ts'
import { drawContactSheet } from '../../../support/media/contact-sheet.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { people } from '../../../support/media/frames.ts'
import {
  deviation,
  expectedPictures,
  LAYOUTS,
  misplaced,
  prominentOf,
  RESOLUTIONS,
  sizeOf,
  someProminent,
  TOLERANCE,
} from '../../../support/media/geometry.ts'
import { findTool } from '../../../support/tools.ts'
import { openWithMedia, SIZE } from '../open-with-media.ts'
import { openMedia, stream } from './open-media.ts'

describe('a frame', () => {
  const all = people(16)
  const cases = LAYOUTS.flatMap((layout) =>
    (['1920x1080', '1080x1920'] as const).map((resolution) => ({ layout, resolution })),
  )

  it.each(cases)('of $layout.type in $resolution has 1 to 16 people where the layout puts them', (one) => {
    expect(misplaced(one.layout, one.resolution, all)).toEqual([])
  })
})

describe('an archive', () => {
  it.each(RESOLUTIONS)('in %s has nine people where each layout puts them', async (resolution) => {
    const { media, clock, directory, ffmpegPath } = await openMedia()
    for (const [place, { layoutClasses }] of someProminent(people(9), 9).entries())
      media.publish(stream(`s${place}`, { layoutClasses }))
    const [first = { type: 'bestFit' as const }, ...later] = LAYOUTS
    const spec = { id: 'archive', sessionId: 'session', hasAudio: false, hasVideo: true, resolution }
    const recorder = await media.startArchive({ ...spec, layout: first })
    await clock.advance(200)
    for (const layout of later) {
      recorder.setLayout(layout)
      await clock.advance(200)
    }
    await recorder.finish()
    const [width, height] = sizeOf(resolution)
    const pictures = await decodePictures(ffmpegPath, join(directory, 'archive.mp4'), { width, height })
    for (const [index, layout] of LAYOUTS.entries()) {
      const seen = findCells(pictures[6 * index + 3] as Picture)
      const expected = expectedPictures(layout.type, resolution, 9, prominentOf(layout, 9))
      if (deviation(seen, expected) > TOLERANCE) expect({ ...layout, seen }).toEqual({ ...layout, seen: expected })
    }
  })

  it('shows every change from its frame, and so does a broadcast', async () => {
    const { call, clock, createSession, join: enter, download, ffmpegPath, directory } = await openWithMedia()
    const sessionId = await createSession()
    const [ada, bela, carl] = [await enter(sessionId), await enter(sessionId), await enter(sessionId)]
    const wanted = { sessionId, streamMode: 'manual' }
    const archiveId: string = (await call('startArchive', wanted)).body.id
    const broadcastId: string = (await call('startBroadcast', { ...wanted, outputs: { hls: {} } })).body.id
    const widths: (readonly (number | undefined)[])[] = []
    const after = async (change: Promise<readonly number[]>, ...expected: (number | undefined)[]) => {
      expect(Math.max(...(await change))).toBeLessThan(300)
      await clock.advance(500)
      widths.push(...Array(15).fill(expected))
    }
    const statuses = (...changes: Promise<{ status: number }>[]) =>
      Promise.all(changes.map(async (change) => (await change).status))
    const choose = (choice: object) =>
      statuses(
        call('changeArchiveStreams', { archiveId, ...choice }),
        call('changeBroadcastStreams', { broadcastId, ...choice }),
      )
    const classes = (id: string | undefined, ...layoutClassList: string[]) =>
      statuses(call('setStreamLayoutClasses', { sessionId, items: [{ id, layoutClassList }] }))
    const lay = (layout: object) =>
      statuses(
        call('setArchiveLayout', { archiveId, ...layout }),
        call('setBroadcastLayout', { broadcastId, ...layout }),
      )

    await after(choose({ addStream: ada.streamId }), 640)
    await after(choose({ addStream: bela.streamId }), 320, 320)
    await after(choose({ addStream: carl.streamId, hasVideo: false }), 320, 320)
    await after(choose({ addStream: carl.streamId, hasAudio: false }), 320, 320, 320)
    await after(lay({ type: 'pip' }), 640, 160)
    await after(classes(carl.streamId, 'full'), 160, undefined, 640)
    await after(lay({ type: 'verticalPresentation' }), 512, 128, 128)
    await after(classes(bela.streamId, 'focus'), 128, 512, 128)
    await after(lay({ type: 'horizontalPresentation' }), 128, 512, 128)
    await after(choose({ removeStream: bela.streamId }), 512, undefined, 128)
    await after(
      lay({ type: 'custom', stylesheet: 'stream.full { width: 240px; height: 180px }' }),
      undefined,
      undefined,
      240,
    )
    await after(lay({ type: 'bestFit', screenshareType: 'pip' }), 320, undefined, 320)
    const sharer = await enter(sessionId, { videoType: 'screen' })
    await after(choose({ addStream: sharer.streamId }), 160, undefined, undefined, 640)
    await after(statuses(sharer.leave()), 320, undefined, 320)
    await after(statuses(ada.leave()), undefined, undefined, 640)
    await call('stopArchive', { archiveId })
    await call('stopBroadcast', { broadcastId })
    await clock.advance(0)

    const padded = widths.map((expected) => [0, 1, 2, 3].map((place) => expected[place]))
    const playlist = join(directory, 'media', broadcastId, 'index.m3u8')
    for (const pictures of [
      await (await download(archiveId)).pictures(SIZE),
      await decodePictures(ffmpegPath, playlist, SIZE),
    ]) {
      const seen = pictures.map((picture) => [0, 1, 2, 3].map((place) => findCells(picture).get(place)?.width))
      for (const [frame, expected] of padded.entries()) expect([frame, seen[frame]]).toEqual([frame, expected])
      expect(seen).toHaveLength(padded.length)
    }
  })
})

/** Conversion with the colours of the encoders. */
const COLOURS = 'scale=in_color_matrix=smpte170m:in_range=tv:out_range=pc,format=rgb24'
/** Maximum difference of a pixel between versions of ffmpeg, of 255. */
const ROUNDING = 4

describe('docs/images/layouts.png', () => {
  it('is what the compositor draws today; SHOW_DOCS=1 writes it again', async () => {
    const ffmpeg = await findTool('ffmpeg', 'ffmpeg')
    const directory = await mkdtemp(join(tmpdir(), 'showrunner-sheet-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const sheet = drawContactSheet()
    const [made, shown] = [join(directory, 'layouts.png'), join(root, 'docs/images/layouts.png')]
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${sheet.width}x${sheet.height}`, '-i', 'pipe:0']
    const writing = promisify(execFile)(ffmpeg, ['-v', 'error', ...raw, '-vf', COLOURS, '-frames:v', '1', made])
    writing.child.stdin?.end(sheet.data)
    await writing
    if (process.env.SHOW_DOCS) await copyFile(made, shown)
    const [today, documented] = await Promise.all([made, shown].map((path) => decodePictures(ffmpeg, path, sheet)))
    const before = documented?.[0]?.data ?? new Uint8Array()
    const changed = today?.[0]?.data.filter((value, at) => !(Math.abs(value - (before[at] ?? -1)) <= ROUNDING))
    expect(changed, 'bytes that differ').toHaveLength(0)
  })
})
