import type { Storage } from '../../aws/storage/storage.ts'
import { trackEnd } from '../../media/joining/published-track.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { type PartTrack, tracksOf } from './published-parts.ts'

/** A part and what is published of it. */
export interface Part {
  readonly manifest: Manifest
  readonly tracks: readonly PartTrack[]
}

export interface FittingParts {
  readonly parts: readonly Part[]
  /** Why the others are left out. */
  readonly message: string | null
}

/** The parts that can be played as one, from the first on: each with the same tracks as recorded, in the same sizes and codecs. */
export async function fittingParts(manifests: readonly Manifest[], storage: Storage): Promise<FittingParts> {
  const parts = await Promise.all(
    manifests.map(async (manifest) => ({ manifest, tracks: await tracksOf(manifest, storage) })),
  )
  const [first] = parts
  const other = parts.findIndex(({ tracks }) => kindOf(tracks) !== kindOf(first?.tracks ?? []))
  if (other < 0) return { parts, message: null }
  return {
    parts: parts.slice(0, other),
    message: `Part ${other + 1} has another picture or audio than part 1, so from there on nothing is joined.`,
  }
}

/** What a player would have to be set up anew for, of what was recorded. */
const kindOf = (tracks: readonly PartTrack[]) =>
  tracks
    .filter(({ name }) => name === 'video' || name === 'audio')
    .map(looks)
    .join()

const looks = ({ name, codec, picture }: PartTrack) =>
  `${name} ${codec.split('.')[0]} ${picture ? `${picture.width}x${picture.height}` : ''}`

/** Each track that all parts have alike, by part. */
export function commonTracks(parts: readonly Part[]): PartTrack[][] {
  return (parts[0]?.tracks ?? []).flatMap((track) => {
    const alike = parts.flatMap(({ tracks }) => tracks.find((other) => looks(other) === looks(track)) ?? [])
    return alike.length === parts.length ? [sharingInit(alike)] : []
  })
}

/** An init segment that says the same is named once, so that no player is set up anew for nothing. */
const sharingInit = (tracks: readonly PartTrack[]): PartTrack[] =>
  tracks.map((track) => {
    const same = tracks.find(({ init }) => init === track.init) ?? track
    return { ...track, rendition: { ...track.rendition, initUri: same.rendition.initUri } }
  })

/** Seconds at which a part ends: with its picture, or with its audio where it has none. */
export function endOfPart({ tracks }: Part): number {
  const leading = tracks.find(({ type }) => type === 'video') ?? tracks[0]
  return leading ? trackEnd(leading) : 0
}
