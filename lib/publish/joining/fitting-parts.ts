import type { Storage } from '../../aws/storage/storage.ts'
import { trackEnd } from '../../media/joining/published-track.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { type PartTrack, tracksOf } from './published-parts.ts'

/** A part with its manifest and its tracks. */
export interface Part {
  readonly manifest: Manifest
  readonly tracks: readonly PartTrack[]
}

export interface FittingParts {
  readonly parts: readonly Part[]
  /** Why the other parts are left out. */
  readonly message: string | null
}

/** Returns the leading parts that can be played as one: their tracks as recorded have the same sizes and codecs. */
export async function fittingParts(manifests: readonly Manifest[], storage: Storage): Promise<FittingParts> {
  const parts = await Promise.all(
    manifests.map(async (manifest) => ({ manifest, tracks: await tracksOf(manifest, storage) })),
  )
  const [first] = parts
  const other = parts.findIndex(({ tracks }) => kindOf(tracks) !== kindOf(first?.tracks ?? []))
  if (other < 0) return { parts, message: null }
  return {
    parts: parts.slice(0, other),
    message: `Part ${other + 1} has other video or audio than part 1, so it and the parts after it are not joined.`,
  }
}

/** Returns the properties of the recorded tracks for which a player would have to be set up again. */
const kindOf = (tracks: readonly PartTrack[]) =>
  tracks
    .filter(({ name }) => name === 'video' || name === 'audio')
    .map(formOf)
    .join()

const formOf = ({ name, codec, picture }: PartTrack) =>
  `${name} ${codec.split('.')[0]} ${picture ? `${picture.width}x${picture.height}` : ''}`

/** Returns each track that all parts have in the same form, one entry per part. */
export function commonTracks(parts: readonly Part[]): PartTrack[][] {
  return (parts[0]?.tracks ?? []).flatMap((track) => {
    const alike = parts.flatMap(({ tracks }) => tracks.find((other) => formOf(other) === formOf(track)) ?? [])
    return alike.length === parts.length ? [sharingInit(alike)] : []
  })
}

/** Names equal init segments by one URI, so that no player is set up again without need. */
const sharingInit = (tracks: readonly PartTrack[]): PartTrack[] =>
  tracks.map((track) => {
    const same = tracks.find(({ init }) => init === track.init) ?? track
    return { ...track, rendition: { ...track.rendition, initUri: same.rendition.initUri } }
  })

/** Returns the end of a part in seconds: of its video, or of its audio where it has no video. */
export function endOfPart({ tracks }: Part): number {
  const leading = tracks.find(({ type }) => type === 'video') ?? tracks[0]
  return leading ? trackEnd(leading) : 0
}
