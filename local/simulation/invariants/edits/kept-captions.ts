import { posix } from 'node:path'
import { ORDERED } from '../../faults/fault-responses.ts'
import type { Evidence } from '../evidence.ts'
import { manifestIn, type SeenManifest } from '../publishing/archive-files.ts'
import { deletedIn, editsIn, isDone, lastOf, type SeenEdit } from '../requests/edits-of.ts'

/** Statuses with which invalid captions are refused. */
const REFUSALS: readonly number[] = [400, 413, 415]

type Seen = Pick<Evidence, 'apiRequests' | 'objects' | 'trace'>

/**
 * Checks that the captions of a recording are those that were supplied last and not deleted, also after later publishes. A
 * recording whose file was replaced by another one, which an operator has accepted, keeps none. The master playlist names each
 * language once, and a playlist of it names the captions. They are listed by language. Captions are not refused: all that are
 * supplied are valid.
 */
export function keptCaptions(evidence: Seen): string[] {
  const deleted = deletedIn(evidence)
  const all = editsIn(evidence)
  const edits = all.filter(({ action, archiveId }) => action.endsWith(' captions') && !deleted.has(archiveId))
  const refused = all.filter(
    ({ action, status = 0, answer }) =>
      action === 'PUT captions' && REFUSALS.includes(status) && !answer.includes(ORDERED),
  )
  const problems = refused.map(
    ({ archiveId, answer }) => `captions of the recording ${archiveId} are refused: ${answer}`,
  )
  const kept = [...Map.groupBy(edits, ({ archiveId }) => archiveId)].flatMap(([archiveId, ofRecording]) => {
    const manifest = manifestIn(evidence.objects, archiveId)
    if (!manifest || manifest.status === 'failed') return [] // it was replaced by a file that an operator accepted
    const accepted = lastOf(all.filter((one) => one.action === 'POST accept' && one.archiveId === archiveId))
    if (accepted && !isDone(accepted)) return []
    const isReplaced = accepted && ofRecording.every(({ askedAt }) => askedAt < accepted.askedAt)
    if (isReplaced)
      return captionsOf(manifest).map(({ key }) => `the recording ${archiveId} has ${key} of another file`)
    const byLanguage = [...Map.groupBy(ofRecording, ({ of }) => of)]
    return [
      ...byLanguage.flatMap(([language, same]) => problemsOf(language, same, manifest, evidence)),
      ...problemsOfPlaylists(manifest, evidence),
      ...problemsOfOrder(captionsOf(manifest).map(languageOf)),
    ].map((problem) => `the recording ${archiveId} ${problem}`)
  })
  return [...problems, ...kept]
}

const languageOf = ({ key }: { readonly key: string }) => posix.basename(key, '.vtt')
const captionsOf = ({ files }: SeenManifest) => files.filter(({ role }) => role === 'captions')

const problemsOfOrder = (languages: readonly string[]) =>
  languages.join() === languages.toSorted().join() ? [] : [`lists its captions as ${languages.join(', ')}`]

function problemsOf(language: string, edits: readonly SeenEdit[], manifest: SeenManifest, { objects }: Seen): string[] {
  const last = lastOf(edits)
  if (!last || !isDone(last)) return []
  const [file, ...others] = captionsOf(manifest).filter((one) => languageOf(one) === language)
  if (last.action.startsWith('DELETE')) return file ? [`has captions in ${language}, which were deleted`] : []
  if (!file) return [`has no captions in ${language}, which were supplied`]
  const [, , cue = ''] = last.body.split('\n').filter(Boolean)
  const text = objects.get(file.key)?.text ?? ''
  return [
    ...(others.length > 0 ? [`has several captions in ${language}`] : []),
    ...(text.includes(cue) ? [] : [`has other captions in ${language} than those supplied last`]),
  ]
}

/** Compares the playlists with the captions of the manifest. */
function problemsOfPlaylists(manifest: SeenManifest, { objects }: Seen): string[] {
  const master = manifest.files.find(({ role }) => role === 'hls')
  const text = master && objects.get(master.key)?.text
  if (!master || text === undefined) return []
  const named = [...text.matchAll(/TYPE=SUBTITLES.*?URI="([^"]+)"/g)].map(([, uri = '']) =>
    posix.join(posix.dirname(master.key), uri),
  )
  const captions = captionsOf(manifest)
  const carried = named.flatMap((key) => {
    const [uri = ''] = (objects.get(key)?.text ?? '').split('\n').filter((line) => line && !line.startsWith('#'))
    return posix.join(posix.dirname(key), uri)
  })
  const listed = new Set(manifest.files.map(({ key }) => key))
  return [
    ...(carried.toSorted().join() ===
    captions
      .map(({ key }) => key)
      .toSorted()
      .join()
      ? []
      : [`has captions in ${captions.length} languages, and its playlists name ${carried.length}`]),
    ...named.filter((key) => !listed.has(key)).map((key) => `has a playlist that it does not list: ${key}`),
  ]
}
