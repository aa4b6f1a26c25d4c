import { type Format, formats } from '../../../../lib/show/document/publishing.ts'
import type { Draws } from '../draws.ts'

/** Requests of an event app that change one published recording after its show. */
export interface PlannedEdits {
  /** Place among the published recordings, in the order of their events. Beyond the last, it begins again with the first. */
  readonly recording: number
  /** Addresses the joined recording of which it is the first part, if there is one. */
  readonly isJoined: boolean
  /** True if the simulation lasts until the deletion that ends the edits is final. */
  readonly awaitsPurge: boolean
  /** Prefers a recording that is the first part of a joined one. */
  readonly prefersParts: boolean
  readonly edits: readonly PlannedEdit[]
  /** Decision of an operator about a file that is withheld. */
  readonly judgement: 'accept' | 'reject'
  /** True if another file is uploaded before that decision. @default false */
  readonly uploadsAgain?: boolean
}

export interface PlannedEdit {
  /** Seconds since the edit before it was answered. */
  readonly after: number
  /** Value of `Idempotency-Key`. */
  readonly key: string
  /** True if two callers send it at the same time. */
  readonly together?: boolean
  readonly edit: Edit
}

export type Edit =
  | { readonly what: 'clip'; readonly order: ClipOfRecording; readonly posts: number }
  | { readonly what: 'clipByClock'; readonly order: ClipByClock }
  | { readonly what: 'deleteClip' | 'revoke' | 'restore' }
  | { readonly what: 'deleteUnknown' | 'restoreUnknown' }
  | { readonly what: 'rebuild'; readonly formats?: readonly Format[]; readonly posts: number }
  | { readonly what: 'captions'; readonly language: string; readonly text: string }
  | { readonly what: 'deleteCaptions'; readonly language: string }
  | { readonly what: 'delete'; readonly permanently: boolean }
  /** Deletes an archive that is being uploaded. */
  | { readonly what: 'deleteUploading'; readonly permanently: boolean }

/** The times of a clip, in seconds of its recording. */
export type ClipOfRecording = { readonly name: string } & (
  | { readonly last: number }
  | { readonly from: number | 'last marker'; readonly to?: number }
)

/** Times on the clock as ISO 8601. */
export interface ClipByClock {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** Share of final deletions whose end the simulation awaits: a week of sweeps takes ten seconds. */
const AWAITED = 0.8
const isDeletion = (edit: Edit | undefined) => edit?.what === 'delete' && !edit.permanently

const LANGUAGES = ['de', 'pt-BR'] as const

/** Draws two to eight edits of a recording. Four of five shows have some. A third of these end with a deletion. */
export function randomEdits(draws: Draws): PlannedEdits | undefined {
  const { chance, between, oneOf, times } = draws
  if (chance(0.2)) return undefined
  const edits = times(between(2, 8), (index) => [randomEdit(draws, index)])
  const hiding: Edit[] = [{ what: 'delete', permanently: false }, { what: 'restore' }]
  if (chance(0.3)) edits.splice(between(0, edits.length), 0, hiding)
  if (chance(1 / 3)) edits.push([{ what: 'delete', permanently: chance(0.3) }])
  const timed = edits.flat().map((edit, index) => ({ after: oneOf([0, between(1, 240)]), key: `edit-${index}`, edit }))
  return {
    ...{ recording: between(0, 5), isJoined: chance(0.5), edits: timed },
    judgement: oneOf(['accept', 'reject']),
    prefersParts: chance(0.5),
    awaitsPurge: isDeletion(edits.at(-1)?.at(-1)) && chance(AWAITED),
  }
}

function randomEdit({ oneOf, logUniform, between, chance }: Draws, index: number): Edit {
  const what = oneOf([
    'clip',
    'clip',
    'rebuild',
    'captions',
    'captions',
    'deleteCaptions',
    'deleteClip',
    'revoke',
  ] as const)
  const posts = oneOf([1, 1, 2])
  const language = oneOf(LANGUAGES)
  switch (what) {
    case 'clip': {
      const from = between(0, 60)
      const order = oneOf([{ last: logUniform(1, 3_600) }, { from }, { from, to: from + between(1, 120) }])
      return { what, posts, order: { name: `Cut ${index}`, ...order } }
    }
    case 'rebuild':
      return {
        what,
        posts,
        ...(chance(0.7) && { formats: oneOf([['poster'], ['faststart', 'audio'], ['hls'], formats]) }),
      }
    case 'captions':
      return { what, language, text: `WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nCue ${index} ß\n` }
    case 'deleteCaptions':
      return { what, language }
    default:
      return { what }
  }
}
