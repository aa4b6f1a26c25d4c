import { createList, element, setText, type View } from '../../dom.ts'
import { clockTime } from '../../format.ts'
import { type ControlGroup, createButton } from './control-group.ts'

/** A clip of a recording or of a live show, as the console shows it. */
export interface ListedClip {
  readonly clipId: string
  readonly name: string
  /** Seconds. */
  readonly from: number
  readonly to: number
  readonly status: string
  readonly problem?: string | undefined
  /** Absent while it is queued. */
  readonly watch?: { readonly url: string } | undefined
  readonly file?: { readonly url: string } | undefined
}

/** Access to the clips of one recording or show. */
export interface ClipSource {
  list(): Promise<readonly ListedClip[]>
  remove(clipId: string): Promise<unknown>
}

/** Milliseconds after which clips are read again while an MP4 is cut. */
const POLL_MS = 2_000

/** Creates the list of clips, which reads itself again until every MP4 is published. */
export function createClipList({ list, remove }: ClipSource, group: Pick<ControlGroup, 'run'>) {
  const items = element('ul', { class: 'clips' })
  const show = createList<ListedClip>(
    items,
    ({ clipId }) => clipId,
    (clip) => createClipLine(clip, () => void group.run('Deleting the clip …', () => deleteClip(clip))),
  )
  let next: ReturnType<typeof setTimeout> | undefined
  async function load(): Promise<void> {
    clearTimeout(next)
    const clips = await list()
    show(clips)
    const isCutting = clips.some(({ status }) => status === 'cutting')
    if (isCutting && items.isConnected) next = setTimeout(() => void load().catch(() => {}), POLL_MS)
  }
  async function deleteClip({ clipId, name }: ListedClip): Promise<string> {
    await remove(clipId)
    await load()
    return `The clip ${name} was deleted.`
  }
  return { element: items, load }
}

/** What is still to come in these statuses. */
const STATES: Readonly<Record<string, string>> = {
  queued: ', waits for the recording',
  cutting: ', the MP4 follows',
}

function createClipLine({ name, clipId }: ListedClip, remove: () => void): View<ListedClip> {
  const facts = element('span')
  const watch = element('a', { target: '_blank', rel: 'noopener noreferrer' }, 'Watch')
  const download = element('a', {}, 'MP4')
  const links = element(
    'span',
    { class: 'buttons' },
    watch,
    download,
    createButton('Delete', remove, `Delete: ${name}, clip ${clipId}`),
  )
  return {
    element: element('li', {}, facts, links),
    update({ from, to, status, problem, watch: link, file }) {
      const state = STATES[status] ?? (problem === undefined ? '' : `, ${problem}`)
      setText(facts, `${name}: ${clockTime(from)} to ${clockTime(to)}${state}`)
      watch.hidden = !link
      if (link) watch.setAttribute('href', link.url)
      download.hidden = !file
      if (file) download.setAttribute('href', file.url)
    },
  }
}
