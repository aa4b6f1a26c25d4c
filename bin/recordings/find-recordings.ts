import { ShowrunnerError } from '../../lib/client/showrunner-error.ts'
import { joinedId } from '../../lib/show/document/fields/names.ts'
import type { RecordingAnswer, ShowAnswer, ShowApi } from '../shows/show-api.ts'

/** A recording, and the name of its show if the API still has the show. */
export interface NamedRecording {
  readonly recording: RecordingAnswer
  readonly showName?: string
}

type Api = { readonly shows: Pick<ShowApi['shows'], 'get'>; readonly recordings: Pick<ShowApi['recordings'], 'get'> }

/**
 * Finds a recording by the id of its archive, or every published recording of a show by the id of the show. A recording that rolled
 * over is found as one, once its parts are joined.
 * @throws Error when nothing has the id, or nothing of the show is published
 */
export async function findRecordings(api: Api, id: string): Promise<readonly NamedRecording[]> {
  const recording = await readRecording(api, id)
  if (recording) {
    const show = recording.show && (await readShow(api, recording.show.showId))
    return [{ recording, ...(show && { showName: show.name }) }]
  }
  const show = await readShow(api, id)
  if (!show) throw new Error(`There is no recording and no show ${id}. \`recordings list\` prints the ids.`)
  const found = await recordingsOf(api, show)
  if (found.length > 0) return found.map((recording) => ({ recording, showName: show.name }))
  const isOver = show.result !== undefined
  throw new Error(
    isOver
      ? `No recording of the show ${id} is published. \`show ${id}\` prints the reason.`
      : `The show ${id} is ${show.status}. Its recordings are published after it has ended.`,
  )
}

/** Reads the published recordings of a show: the joined one in place of its parts. */
async function recordingsOf(api: Api, { recordings }: ShowAnswer): Promise<RecordingAnswer[]> {
  const first = new Set(recordings.filter(({ part }) => part === 2).map(({ name }) => name))
  const joined = recordings.flatMap(({ name, part, archiveId }) =>
    part === 1 && archiveId && first.has(name) ? { name, id: joinedId(archiveId) } : [],
  )
  const wholes = await Promise.all(joined.map(({ id }) => readRecording(api, id)))
  const isWhole = (name: string) => joined.some((one, index) => one.name === name && wholes[index] !== undefined)
  const parts = recordings.flatMap(({ name, archiveId }) => (archiveId && !isWhole(name) ? archiveId : []))
  const found = [...wholes, ...(await Promise.all(parts.map((id) => readRecording(api, id))))]
  return found.filter((recording) => recording !== undefined)
}

/** Returns undefined for what is not published, or was deleted. */
const readRecording = ({ recordings }: Api, id: string): Promise<RecordingAnswer | undefined> =>
  recordings.get(id).catch(undefinedFor('unknown-recording', 'recording-deleted'))

const readShow = ({ shows }: Api, id: string): Promise<ShowAnswer | undefined> =>
  shows.get(id).catch(undefinedFor('unknown-show'))

const undefinedFor =
  (...types: readonly string[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof ShowrunnerError && types.includes(error.type))) throw error
  }
