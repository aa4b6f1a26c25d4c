import { expect } from 'vitest'
import type { Follower } from '../support/hls/expect-valid-playlist.ts'
import type { Playlist } from '../support/hls/parse.ts'

/** Returns the number and the part index of the part that a playlist does not have yet. */
function nextOf({ segments, openParts }: Playlist) {
  return { msn: (segments.at(-1)?.number ?? -1) + 1, part: openParts.length }
}

/**
 * Watches a broadcast with low latency as a player: asks for the next part and for the playlist that has it at the same time,
 * by blocking reloads and delta updates. Expects every answer to be valid.
 * @param count parts to request
 * @returns how many playlists were delta updates
 */
export async function watchAsViewer(url: string, follower: Follower, count: number): Promise<number> {
  let playlist = follower.add(await textOf(url))
  let deltas = 0
  for (let parts = 0; parts < count; parts++) {
    const asked = nextOf(playlist)
    const hint = /#EXT-X-PRELOAD-HINT:.*URI="([^"]+)"/.exec(playlist.text)?.[1] ?? ''
    const directives = `_HLS_msn=${asked.msn}&_HLS_part=${asked.part}&_HLS_skip=YES`
    const [media, text] = await Promise.all([bytesOf(new URL(hint, url).href), textOf(`${url}?${directives}`)])
    expect(media.toString('latin1', 4, 8)).toBe('moof')
    if (text.includes('#EXT-X-SKIP')) deltas++
    playlist = follower.add(text, asked)
  }
  return deltas
}

async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  expect(answer.status, url).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const textOf = async (url: string) => (await bytesOf(url)).toString()
