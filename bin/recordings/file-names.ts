import { extname } from 'node:path'
import { isJoinedId } from '../../lib/show/document/fields/names.ts'
import type { RecordingAnswer } from '../shows/show-api.ts'
import { localDay } from '../terminal/local-time.ts'
import type { NamedRecording } from './find-recordings.ts'

/** A file of a recording that can be downloaded alone. */
export interface DownloadableFile {
  readonly url: string
  readonly size: number
  /** Lower-case hexadecimal; null while it is computed. */
  readonly sha256: string | null
  /** Identifies the content among all versions of all files. */
  readonly version: string
  /** Name for people: `Launch webinar – program – 2026-11-22.mp4`. */
  readonly fileName: string
}

/** Files that `recordings download` can be asked for. */
export const fileKinds = ['video', 'original', 'audio', 'poster', 'chapters', 'captions'] as const
export type FileKind = (typeof fileKinds)[number]

/** Roles of the published files of each kind. The first role of which there are files wins. */
const roles = {
  video: ['faststart', 'composite'],
  original: [],
  audio: ['audio'],
  poster: ['poster'],
  chapters: ['chapters'],
  captions: ['captions'],
} as const satisfies Record<FileKind, readonly RecordingAnswer['files'][number]['role'][]>

/**
 * Returns the files of a kind. For `video` that is the copy that players start at once, else what was uploaded: of an individual
 * archive the zip of its streams.
 */
export function filesOf(named: NamedRecording, kind: FileKind): DownloadableFile[] {
  const { source, files } = named.recording
  const wanted: readonly string[] = roles[kind]
  const role = wanted.find((one) => files.some((file) => file.role === one))
  const found = role ? files.filter((file) => file.role === role) : []
  const isSource = found.length === 0 && (kind === 'video' || kind === 'original')
  return (isSource ? [source] : found).map((file) => ({
    url: file.url,
    size: file.size,
    sha256: file.sha256,
    version: `${file.key} ${('etag' in file && file.etag) || file.sha256 || file.size}`,
    fileName: `${titleOf(named)}${kind === 'captions' ? ` – ${languageOf(file.key)}` : ''}${extname(file.key)}`,
  }))
}

/** Returns the title of a recording: its show, its own name, its part and the day on which it began. */
export function titleOf({ recording, showName }: NamedRecording): string {
  const { archiveId, show, createdAt } = recording
  const part = show && show.part > 1 && !isJoinedId(archiveId) ? [`part ${show.part}`] : []
  const names = show ? [showName, show.name, ...part] : [archiveId]
  return [...names, localDay(createdAt)].flatMap((name) => (name && inFileName(name)) || []).join(' – ')
}

/** Returns the language of a captions file, such as `pt-BR` of `…/pt-BR.vtt`. */
export const languageOf = (key: string): string => (key.split('/').at(-1) ?? '').replace(/\.vtt$/, '')

/** Bytes of one part of a title. File systems allow 255 for a name. */
const MAX_PART_BYTES = 100

/** Replaces what Windows, macOS or Linux refuse in names of files, and shortens a text to its share of the name. */
function inFileName(text: string): string {
  const allowed = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  let short = allowed
  while (Buffer.byteLength(short) > MAX_PART_BYTES) short = [...short].slice(0, -1).join('')
  return short.trim()
}
