import { describe, expect, it } from 'vitest'
import type { Tasks } from './open-machine.ts'
import { type Editions, file, keysOf, openPublishMachine } from './open-publish-machine.ts'

const lost = (format: string) => ({ format, problem: `No ${format}.` })
const nothing = (format: string) => () => ({ files: [], ffmpeg: '5', missing: lost(format) })

/** Runs the machine. Returns the formats that each of its two manifests misses, and the published keys. */
async function publishDamaged(changes: Tasks) {
  const { publish, manifests, inputsOf } = openPublishMachine()
  const { status, lastState } = await publish(changes)
  const [ready, complete] = manifests()
  return { status, lastState, missing: [ready?.missing, complete?.missing], keys: keysOf(complete), inputsOf }
}

describe('the publish machine of a damaged recording', () => {
  it('publishes what can be made, and names what is missing', async () => {
    const { status, lastState, missing, keys } = await publishDamaged({
      makeFaststart: nothing('faststart'),
      makePoster: nothing('poster'),
      measureAudio: () => ({ ...nothing('audio')(), loudness: null, silences: [] }),
      makeThumbnails: nothing('thumbnails'),
      findChapters: nothing('chapters'),
    })
    expect([status, lastState]).toEqual(['SUCCEEDED', 'Published'])
    const first = ['faststart', 'poster'].map(lost)
    expect(missing).toEqual([first, [...first, ...['thumbnails', 'audio', 'chapters'].map(lost)]])
    expect(keys).toEqual(['audio', 'video', 'master-e2'])
  })

  it('measures no audio that could not be copied, and names it', async () => {
    const { missing, inputsOf } = await publishDamaged({ copyAudio: nothing('audio') })
    expect(inputsOf('measureAudio')).toEqual([])
    expect(missing).toEqual([[], [lost('audio')]])
  })

  it('leaves all renditions out where one piece cannot be encoded', async () => {
    const encodePiece: Tasks[string] = ({ piece }) => ({
      ...{ index: (piece as { index: number }).index, edition: 'e2', ffmpeg: '5' },
      ...((piece as { index: number }).index === 1 && { missing: lost('renditions') }),
    })
    const { missing, keys, inputsOf } = await publishDamaged({ encodePiece })
    expect(inputsOf('writePlaylists')).toHaveLength(1)
    expect(missing).toEqual([[], [lost('renditions')]])
    expect(keys.slice(-2)).toEqual(['video', 'master-null'])
  })

  it('writes no playlists of a recording that could not be cut, and encodes nothing for them', async () => {
    const cutPiece = () => ({ index: 0, edition: 'e1', missing: lost('hls') })
    const { missing, inputsOf } = await publishDamaged({ cutPiece })
    expect([inputsOf('writePlaylists'), inputsOf('encodePiece')]).toEqual([[], []])
    expect(missing).toEqual([[lost('hls')], [lost('hls')]])
  })

  it.each([
    ['hls', []],
    ['renditions', ['master-null']],
  ])('publishes no playlists of %s if its pieces do not fit together', async (format, masters) => {
    const writePlaylists: Tasks[string] = ({ editions }) => {
      const { renditions } = editions as Editions
      const isRefused = (format === 'renditions') === (renditions !== null)
      return isRefused ? nothing(format)() : { files: [file('hls', `master-${renditions}`)] }
    }
    const { missing, keys } = await publishDamaged({ writePlaylists })
    expect(missing[1]).toEqual([lost(format)])
    expect(keys.filter((key) => key.startsWith('master'))).toEqual(masters)
  })
})
