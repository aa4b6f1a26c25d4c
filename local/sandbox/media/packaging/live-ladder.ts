import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../lib/clock.ts'
import { LIVE_INIT } from '../../../../lib/media/hls/live/kept-playlist.ts'
import { LIVE_AUDIO, readLiveVideo, writeLiveMultivariant } from '../../../../lib/media/hls/live/live-multivariant.ts'
import { PLAYLIST_FILE } from '../encoding/broadcast-target.ts'
import type { HlsSettings, LiveLadder } from '../media.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { createLivePlaylists, openLeftPlaylists } from './live-playlists.ts'
import type { PackagedPart } from './package-broadcast.ts'

/** Name of a rendition's playlist with all segments, in URLs. */
export const DVR_FILE = 'dvr.m3u8'
/** Folders of renditions. */
const RENDITION = /^(?:\d+p|audio)$/

/** Creates the playlists of a running broadcast's renditions. The listener receives the parts of all. */
export function createLiveLadder(
  names: readonly string[],
  directory: string,
  { hls, clock }: { readonly hls: HlsSettings; readonly clock: Clock },
) {
  const renditions = new Map<string, ReturnType<typeof createLivePlaylists>>()
  for (const name of [...names, LIVE_AUDIO])
    renditions.set(
      name,
      createLivePlaylists(hls, clock, () =>
        [...renditions]
          .filter(([other]) => other !== name)
          .map(([other, { timeline }]) => ({ uri: `../${other}/${PLAYLIST_FILE}`, timeline })),
      ),
    )
  return {
    ladder: ladderOf(renditions, directory),
    timelines: new Map([...renditions].map(([name, { timeline }]) => [name, timeline])),
    addPart(part: PackagedPart): void {
      renditions.get(part.rendition ?? '')?.addPart(part)
    },
    /** Ends the playlists; every held request is answered. */
    end(): void {
      for (const playlists of renditions.values()) playlists.end()
    },
  }
}

/** Opens the renditions that a broadcast of an earlier process has left. Returns undefined if it had no ladder. */
export async function openLeftLadder(directory: string, hls: HlsSettings): Promise<LiveLadder | undefined> {
  const folders = (await readdir(directory).catch(() => [])).filter((name) => RENDITION.test(name))
  if (folders.length === 0) return undefined
  const byHeight = folders.sort((one, other) => heightOf(other) - heightOf(one))
  const opened = byHeight.map(async (name) => [name, await openLeftPlaylists(join(directory, name), hls)] as const)
  return ladderOf(new Map(await Promise.all(opened)), directory)
}

/** Reads the height of a rendition's name; 0 for audio. */
const heightOf = (name: string) => Number.parseInt(name, 10) || 0

function ladderOf(
  renditions: ReadonlyMap<string, Awaited<ReturnType<typeof openLeftPlaylists>>>,
  directory: string,
): LiveLadder {
  return {
    rendition: (name) => renditions.get(name),
    async multivariant(kind) {
      const begun = await Promise.all([...renditions.values()].map(({ playlist }) => playlist()))
      if (begun.includes(undefined)) return undefined
      const videos = [...renditions.keys()].filter((name) => name !== LIVE_AUDIO)
      const read = async (name: string) => readLiveVideo(name, await readFile(join(directory, name, LIVE_INIT)))
      const file = kind === 'event' ? DVR_FILE : PLAYLIST_FILE
      return writeLiveMultivariant(await Promise.all(videos.map(read)), file, FRAMES_PER_SECOND)
    },
  }
}
