import { posix } from 'node:path'
import type { Evidence } from '../evidence.ts'
import type { SeenManifest } from './archive-files.ts'

/** Seconds by which the segments of one part may differ from its duration. */
const ROUNDED = 1
/** Seconds for which two parts may overlap. Simulated media joins whole parts, so their playlists last longer. */
const OVERLAP = 75

/**
 * Checks that players can play what is published by HLS. Each entry of the master playlist has a playlist, and none offers audio
 * as a picture. Each picture has a playlist of its key frames. The segments of each playlist exist and last as long as the recording.
 */
export function playablePlaylists({ objects }: Pick<Evidence, 'objects'>): string[] {
  return [...objects].flatMap(([key, { text }]) => {
    if (!/^recordings\/[^/]+\/manifest\.json$/.test(key)) return []
    const manifest = JSON.parse(text) as SeenManifest
    const master = manifest.files.find(({ role }) => role === 'hls')?.key
    const played = master && objects.get(master)
    if (!played) return []
    const listed = new Set(manifest.files.map((file) => file.key))
    return problemsOfMaster({ key: master, text: played.text }, { manifest, listed, objects }).map(
      (problem) => `the playlists of the recording ${manifest.archiveId} ${problem}`,
    )
  })
}

interface Playlist {
  readonly key: string
  readonly text: string
}

interface Published extends Pick<Evidence, 'objects'> {
  readonly manifest: SeenManifest
  /** Keys that the manifest lists. */
  readonly listed: ReadonlySet<string>
}

function problemsOfMaster(master: Playlist, published: Published): string[] {
  const lines = master.text.split('\n')
  const variants = lines.flatMap((line, index) =>
    line.startsWith('#EXT-X-STREAM-INF:') ? [{ line, uri: lines[index + 1] ?? '' }] : [],
  )
  const named = (tag: string) =>
    lines.filter((line) => line.startsWith(tag)).map((line) => ({ line, uri: /URI="([^"]+)"/.exec(line)?.[1] ?? '' }))
  const [audio, keyFrames] = [named('#EXT-X-MEDIA:TYPE=AUDIO'), named('#EXT-X-I-FRAME-STREAM-INF:')]
  const pictures = variants.filter(({ line }) => sizeIn(line) !== undefined)
  const media = [...variants, ...audio]
  const uris = [...media, ...keyFrames].map(({ uri }) => uri)
  const hasGroup = ({ line }: { line: string }) => line.includes(',AUDIO="')
  return [
    ...(variants.length > 0 ? [] : ['have nothing to play']),
    ...(new Set(uris).size === uris.length ? [] : ['name one playlist twice']),
    ...(pictures.length === 0 || pictures.length === variants.length ? [] : ['offer audio as a picture']),
    ...(pictures.every(hasGroup) === audio.length > 0 || pictures.length === 0 ? [] : ['play audio without a picture']),
    ...(areSame(pictures, keyFrames) ? [] : ['have other key frames than pictures']),
    ...[...variants, ...keyFrames].flatMap(({ line }) =>
      hasRate(line) ? [] : [`have an entry without a bit rate: ${line}`],
    ),
    ...uris.flatMap((uri) => problemsOfMedia(keyAt(master, uri), published)),
  ]
}

const sizeIn = (line: string) => /[:,]RESOLUTION=(\d+x\d+)/.exec(line)?.[1]

/** Returns true for an entry with bit rates, of which the average is not above the peak. Simulated media can have less than one. */
function hasRate(line: string): boolean {
  const [peak, average] = [/[:,]BANDWIDTH=(\d+)/, /AVERAGE-BANDWIDTH=(\d+)/].map((one) => Number(one.exec(line)?.[1]))
  return peak !== undefined && average !== undefined && average <= peak
}

const areSame = (pictures: readonly { line: string }[], keyFrames: readonly { line: string }[]) =>
  [pictures, keyFrames]
    .map((entries) => entries.map(({ line }) => sizeIn(line)).join())
    .every((one, _, [first]) => one === first)

const keyAt = ({ key }: Pick<Playlist, 'key'>, uri: string) => posix.join(posix.dirname(key), uri)

function problemsOfMedia(key: string, { manifest, listed, objects }: Published): string[] {
  const text = objects.get(key)?.text
  const name = posix.basename(key)
  if (text === undefined || !listed.has(key)) return [`name ${name}, which is not published`]
  const lines = text.trimEnd().split('\n')
  const seconds = lines.flatMap((line) => (line.startsWith('#EXTINF:') ? Number.parseFloat(line.slice(8)) : []))
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(text)?.[1])
  const total = seconds.reduce((sum, one) => sum + one, 0)
  const { duration, parts = [''] } = manifest
  const rounded = ROUNDED * parts.length
  const uris = lines.flatMap(
    (line) => /^#EXT-X-MAP:URI="([^"]+)"/.exec(line)?.[1] ?? (line.startsWith('#') ? [] : line),
  )
  const missing = uris.filter((uri) => !listed.has(keyAt({ key }, uri)))
  const breaks = lines.filter((line) => line === '#EXT-X-DISCONTINUITY').length
  return [
    ...(lines.at(-1) === '#EXT-X-ENDLIST' ? [] : [`have no end in ${name}`]),
    ...(seconds.every((one) => Math.round(one) <= target)
      ? []
      : [`have segments in ${name} above its target duration`]),
    ...(total >= (duration ?? 0) - rounded && total <= (duration ?? 0) + rounded + OVERLAP * (parts.length - 1)
      ? []
      : [`last ${total} s in ${name}, and the recording ${duration} s`]),
    ...(breaks < parts.length ? [] : [`have ${breaks} breaks in ${name}, and ${parts.length} parts`]),
    ...missing.map((uri) => `name ${uri} in ${name}, which is not published`),
  ]
}
