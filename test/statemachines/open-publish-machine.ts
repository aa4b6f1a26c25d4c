import { type Given, openMachine, type Tasks } from './open-machine.ts'

export const arrival = { bucket: 'media', key: '1/a/archive.mp4', etag: 'e' }
/** The recording as most tasks get it. */
export const source = { ...arrival, archiveId: 'a', keepDays: 30 }
export const facts = { duration: 700, video: { codec: 'h264', width: 1280, height: 720, frameRate: 30 }, audio: null }
export const pieces = [
  { index: 0, start: 0, end: 600 },
  { index: 1, start: 600, end: 700 },
]
export const ladder = [{ name: '480p', height: 480, maxVideoBitrate: 1_200_000 }]
export const inspection = {
  ...{ archiveId: 'a', size: 9, show: null, facts, pieces, ladder, access: 'signed', keepDays: 30, differences: [] },
  formats: ['poster', 'faststart', 'hls', 'renditions', 'thumbnails', 'audio', 'chapters'],
}
export const hashes = { sha256: 'bb', faststartSha256: 'cc' }
export const loudness = { integrated: -23, range: 5, truePeak: -1 }
export const silences = [{ start: 1, end: 2 }]
export const composite = { bucket: 'media', key: 'recordings/a/composite/e0/composite.mp4', etag: 'c' }

/** Returns a published file whose key is its role. */
export const file = (role: string, key: string = role) => ({ role, key, size: 1, sha256: 'aa' })

/** Input of the task that writes the manifest. */
export interface Written {
  readonly stage: string
  readonly files: readonly { readonly key: string }[]
  readonly missing: readonly unknown[]
}
export const keysOf = ({ files }: Pick<Written, 'files'> = { files: [] }) => files.map(({ key }) => key)

/** Answers of the tasks when nothing fails. */
const complete: Tasks = {
  takeTurn: () => ({ hasTurn: true }),
  inspectRecording: () => inspection,
  makeFaststart: () => ({ files: [file('faststart')] }),
  makePoster: () => ({ files: [file('poster')], ffmpeg: '5' }),
  cutPiece: () => ({ index: 0, edition: 'e1' }),
  writePlaylists: ({ editions }) => ({
    files: [file('hls-media', 'video'), file('hls', `master-${(editions as Editions).renditions}`)],
  }),
  makeThumbnails: () => ({ files: [file('sprite'), file('thumbnails')], ffmpeg: '5' }),
  copyAudio: () => ({ files: [file('audio')] }),
  measureAudio: () => ({ files: [file('waveform')], loudness, silences, ffmpeg: '5' }),
  findChapters: () => ({ files: [file('chapters')], ffmpeg: '5' }),
  encodePiece: () => ({ index: 0, edition: 'e2', ffmpeg: '5' }),
  composePiece: () => ({ index: 0, edition: 'e0' }),
  mixAudio: () => ({ hasAudio: true, edition: 'e0' }),
  assembleComposite: () => ({ files: [file('composite')], composite }),
  findParts: () => ({ parts: [], pairs: [], message: null }),
  findOverlap: () => ({ shift: 7, confidence: 1 }),
  joinParts: () => ({ joined: null, message: null }),
  cutClip: () => ({ file: { key: 'clip.mp4', size: 1, sha256: 'aa' } }),
  publishClip: ({ file: cut }) => ({ clipId: 'c', status: cut ? 'published' : 'failed' }),
  hashSource: () => hashes,
  writeManifest: ({ stage }) => ({ archiveId: 'a', status: stage }),
}

/** Editions whose playlists a task writes. */
export interface Editions {
  readonly renditions: string | null
}

/** Returns a task that fails with an error of this name. */
export const failing = (name: string) => () => {
  throw Object.assign(new Error('It is broken.'), { name })
}

/** Opens the publish machine. Its tasks answer as for a recording without faults, unless a test changes them. */
export function openPublishMachine() {
  const { execute, calls, clock, timesOf } = openMachine('publish')
  const inputsOf = (task: string) => calls.filter((call) => call.task === task).map(({ given }) => withoutLog(given))
  return {
    clock,
    calls,
    timesOf,
    /** Returns the inputs of a task, without the execution, which is for its log. */
    inputsOf,
    manifests: () => inputsOf('writeManifest') as unknown as Written[],
    /** Runs the machine to its end with these tasks in place of those without failures. */
    publish: (changes: Tasks = {}, more: object = {}) =>
      execute({ ...arrival, ...more }, { ...complete, ...changes }, 'arrival'),
  }
}

const withoutLog = ({ execution: _, ...input }: Given): Given => input
