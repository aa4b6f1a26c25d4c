import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeMasterPlaylist } from '../../../../lib/media/hls/playlists/master-playlist.ts'
import { commonTarget } from '../../../../lib/media/hls/playlists/media-playlist.ts'
import { asOneRendition, joinTracks } from '../../../../lib/media/joining/join-tracks.ts'
import { writeJoinedIframePlaylist, writeJoinedPlaylist } from '../../../../lib/media/joining/joined-playlist.ts'
import { planCuts } from '../../../../lib/media/joining/plan-cuts.ts'
import { segmentsOf, trackEnd } from '../../../../lib/media/joining/published-track.ts'
import type { Part } from './published-part.ts'

/**
 * Joins one track of parts.
 * @param shift seconds between the beginnings of a part and the next
 * @param startsTimeline returns true for a part with another init segment
 */
export async function joinParts(
  type: 'video' | 'audio',
  parts: readonly Part[],
  shift: number,
  startsTimeline = (part: number): boolean => part === 0,
) {
  const cuts = planCuts(
    parts.map(({ video }, index) => ({
      end: trackEnd(video),
      starts: segmentsOf(video).map(({ start }) => start),
      shift: index * shift,
    })),
  )
  const tracks = parts.map((part) => part[type])
  return joinTracks(tracks, cuts, {
    startsTimeline,
    copyUri: (_, { uri, ticks }) => `${ticks}-${basename(uri)}`,
    seamUri: (part, place) => `${type}-seam-${part}-${place}.mp4`,
  })
}

/** Writes joined parts into a new directory as a player gets them, pictures and audio of one presentation; its master playlist. */
export async function writeJoined(directory: string, parts: readonly Part[], shift: number): Promise<string> {
  await mkdir(directory)
  const [video, audio] = [await joinParts('video', parts, shift), await joinParts('audio', parts, shift)]
  for (const { uri, content } of [...video.objects, ...audio.objects]) {
    await writeFile(join(directory, uri), content())
  }
  const target = commonTarget([asOneRendition(video.runs), asOneRendition(audio.runs)])
  await writeFile(join(directory, 'video.m3u8'), writeJoinedPlaylist(video.runs, target))
  await writeFile(join(directory, 'iframes.m3u8'), writeJoinedIframePlaylist(video.runs))
  await writeFile(join(directory, 'audio.m3u8'), writeJoinedPlaylist(audio.runs, target))
  const of = { codec: 'avc1.4d400d', width: 320, height: 240, frameRate: 30, iframesUri: 'iframes.m3u8' }
  const master = writeMasterPlaylist({
    videos: [{ ...of, uri: 'video.m3u8', rendition: asOneRendition(video.runs) }],
    audio: { uri: 'audio.m3u8', codec: 'mp4a.40.2', channels: 1, rendition: asOneRendition(audio.runs) },
  })
  await writeFile(join(directory, 'master.m3u8'), master)
  return join(directory, 'master.m3u8')
}
