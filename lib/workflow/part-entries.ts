import type { ShowState } from './documents/state.ts'

/** Whether anything of a show is being recorded or broadcast, as far as is known. */
export const runsAnything = ({ recordings, broadcasts }: Pick<ShowState, 'recordings' | 'broadcasts'>): boolean =>
  recordings.some(isRecording) || broadcasts.some(isLive)

/** Of an archive, or of a part by its status when last seen. */
type Seen = { readonly status?: string | undefined }
export const isRecording = ({ status }: Seen): boolean => status === 'started' || status === 'paused'
export const isLive = ({ status }: Seen): boolean => status === 'started' || status === 'live'

/** The list with this part in its place: instead of the entry for it, or behind the last part of its name. */
export function withPart<Entry extends { readonly name: string; readonly part: number }>(
  entries: readonly Entry[],
  entry: Entry,
): Entry[] {
  const isIt = ({ name, part }: Entry) => name === entry.name && part === entry.part
  if (entries.some(isIt)) return entries.map((one) => (isIt(one) ? entry : one))
  const before = entries.findLastIndex(({ name, part }) => name === entry.name && part < entry.part)
  return entries.toSpliced(before < 0 ? entries.length : before + 1, 0, entry)
}
