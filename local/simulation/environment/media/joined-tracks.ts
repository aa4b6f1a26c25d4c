import type { ServiceDependencies } from '../../../../lib/services.ts'

type JoinTracks = NonNullable<ServiceDependencies['media']>['joinTracks']
type Joined = Awaited<ReturnType<JoinTracks>>

/** Joins whole parts: the first plays from its own objects, the following ones from copies at their later times. */
export const joinWholeTracks: JoinTracks = async (tracks, cuts, { startsTimeline, copyUri }) => {
  const runs: Joined['runs'] = []
  const objects: Joined['objects'] = []
  for (const [part, { rendition, read }] of tracks.entries()) {
    const ticks = Math.round((cuts[part]?.offset ?? 0) * TICKS)
    if (startsTimeline(part)) runs.push({ initUri: rendition.initUri, pieces: [] })
    for (const { uri, index } of rendition.pieces) {
      const end = index.segments.reduce((most, { offset, size }) => Math.max(most, offset + size), 0)
      const copied = startsTimeline(part) ? uri : copyUri(part, { uri, start: 0, end, ticks })
      runs.at(-1)?.pieces.push({ uri: copied, index })
      if (copied !== uri) objects.push({ uri: copied, content: () => copyOf(uri, ticks, read) })
    }
  }
  return { runs, objects }
}

/** Ticks per second of a copy. */
const TICKS = 1_000

async function* copyOf(uri: string, ticks: number, read: Parameters<JoinTracks>[0][number]['read']) {
  yield Buffer.from(`moved by ${ticks}\n`)
  yield await read(uri)
}
