import { COMPOSITE, type MediaFacts } from '../../environment/media/media-facts.ts'

/** A file that the manifest of an individual archive lists; times in milliseconds. */
interface ListedFile {
  readonly filename: string
  readonly stopTimeOffset: number
}

/** Frame rate of every composite. */
const FRAMES_PER_SECOND = 30
/** The codec that the file of a stream with audio states. */
const AUDIO = 'A_OPUS'

/** Returns the facts of the composite of an individual archive by its zip, as text; undefined for one without streams, or of no frame. */
export function compositeOf(zip: string): MediaFacts | undefined {
  const manifest = /\{"id":".*?\]\}(?=PK)/s.exec(zip)?.[0]
  const { files } = JSON.parse(manifest ?? '{"files":[]}') as { readonly files: readonly ListedFile[] }
  if (files.length === 0) return undefined
  const frames = Math.max(...files.map(({ stopTimeOffset }) => Math.round((stopTimeOffset / 1000) * FRAMES_PER_SECOND)))
  if (frames === 0) return undefined
  return {
    ...{ id: COMPOSITE, seconds: frames / FRAMES_PER_SECOND, size: 0, resolution: '1280x720' },
    ...{ hasVideo: true, hasAudio: zip.includes(AUDIO) },
  }
}

/** A line of a composite about one of its pieces. */
const PIECE = /^\d+ pictures from frame (\d+) to (\d+)$/gm

/** Compares the pieces and the audio in a composite, as text, with its facts. */
export function problemsOfComposite(text: string, { seconds, hasAudio }: MediaFacts): string[] {
  const pieces = [...text.matchAll(PIECE)].map(([, start, end]) => ({ start: Number(start), end: Number(end) }))
  const gap = pieces.find(({ start }, index) => start !== (pieces[index - 1]?.end ?? 0))
  const end = pieces.at(-1)?.end ?? 0
  return [
    ...(gap ? [`has a composite whose pieces do not follow each other at frame ${gap.start}`] : []),
    ...(end === Math.round(seconds * FRAMES_PER_SECOND) ? [] : [`has a composite that ends at frame ${end}`]),
    ...(/^\d+ voices$/m.test(text) === hasAudio ? [] : [`has a composite ${hasAudio ? 'without' : 'with'} audio`]),
  ]
}
