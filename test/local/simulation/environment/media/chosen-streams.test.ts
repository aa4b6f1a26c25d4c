import { describe, expect, it } from 'vitest'
import { type ChosenStreams, noteStreams } from '../../../../../local/simulation/environment/media/chosen-streams.ts'

const stream = { streamId: 's', hasAudio: true, hasVideo: false }

describe('noteStreams', () => {
  it('notes the streams with which an archive or a broadcast starts, and each change', async () => {
    const taken: unknown[] = []
    const start = async () => ({ setStreams: (streams: unknown) => void taken.push(streams) })
    const media = { startArchive: start, startIndividualArchive: start, startBroadcast: start }
    const noted: ChosenStreams[] = []
    const watched = noteStreams(
      media as never,
      () => 7,
      (chosen) => noted.push(chosen),
    )
    const archive = await watched.startArchive({ id: 'one', streams: [] } as never)
    archive.setStreams([stream])
    await watched.startIndividualArchive({ id: 'two' } as never)
    await watched.startBroadcast({ id: 'three', streams: [stream] } as never)
    expect(taken).toEqual([[stream]])
    expect(noted).toEqual([
      { at: 7, id: 'one', streams: [] },
      { at: 7, id: 'one', streams: [stream] },
      { at: 7, id: 'three', streams: [stream] },
    ])
  })
})
