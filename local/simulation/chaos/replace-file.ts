import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { parseArchiveKey } from '../../../lib/show/state/keys.ts'
import { FACTS_BYTES, factsIn } from '../environment/media/media-facts.ts'
import { exceptionsIn, type TraceEntry } from '../trace.ts'
import type { Chaos } from './chaos.ts'
import type { ChaosTargets } from './chaos-targets.ts'

type Replacement = NonNullable<Chaos['replacesFile']>

/** What no show may notice: a published file of a show that is over is replaced by a shorter one. */
const REPLACED_FILE = 'replaced file'
/** Seconds from the report of a show to the replacement: its uploads are checked, and its recordings published. */
const AFTER = 1_800
/** Bytes that state what is in a file. A shorter file states nothing. */
const LEAST = 4_096
/** Size of the pictures of another file. */
const OTHER_SIZE = '320x240'

/** Returns whether the file with a key was replaced. */
export const isReplaced = (key: string, trace: readonly TraceEntry[]): boolean => replacedKeyIn(trace) === key

/** Returns the key of the file that was replaced; undefined as long as none was. */
export const replacedKeyIn = (trace: readonly TraceEntry[]): string | undefined => replacementsIn(trace)[0]?.key

/** A file that was put in the place of another one. */
export interface ReplacingFile {
  readonly key: string
  readonly etag: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Lists the files that replaced others, in order. */
export const replacementsIn = (trace: readonly TraceEntry[]): ReplacingFile[] =>
  exceptionsIn(trace).flatMap(({ unnoticed, line, at }) => {
    const [, key, etag = ''] = /the file (\S+) is replaced by .* with the ETag (\S+)$/.exec(line) ?? []
    return unnoticed === REPLACED_FILE && key !== undefined ? { key, etag, at } : []
  })

/**
 * Replaces one file of the first show that is over: by its half, as an interrupted second upload with the upload key does, or by a
 * shorter recording, as a person does.
 */
export function replaceFile(by: Replacement, parts: ChaosTargets): void {
  const { clock, scheduler, cloud, observer } = parts
  let isPlanned = false
  cloud.events.addRule({
    bus: observer.variable('EVENT_BUS'),
    pattern: { source: ['showrunner'], 'detail-type': ['show.ended'] },
    deliver() {
      if (isPlanned) return
      isPlanned = true
      clock.at(clock.now() + AFTER * 1000, () => void scheduler.pass(() => replaceOne(by, parts)).catch(() => {}))
    },
  })
}

/** Replaces the first file that is published by its first half, while its recording is only ready. */
export function replaceReadyFile({ scheduler, cloud, observer, faults }: ChaosTargets): void {
  let isDone = false
  cloud.events.addRule({
    bus: observer.variable('EVENT_BUS'),
    pattern: { source: ['showrunner'], 'detail-type': ['recording.published'] },
    deliver({ detail }) {
      const { archiveId = '', status } = detail as OwnerEvent
      if (isDone || status !== 'ready') return
      isDone = true
      const replace = async () => {
        const manifest = await observer.records.readManifestIfOwn(archiveId)
        if (manifest) await replaceByHalf(manifest.source.key, { observer, faults })
      }
      void scheduler.pass(replace).catch(() => {})
    },
  })
}

type Reach = Pick<ChaosTargets, 'observer' | 'faults'>

/** Replaces a file by its first half, and returns once this is recorded. */
export async function replaceByHalf(key: string, reach: Reach): Promise<void> {
  const { storage } = reach.observer
  const source = await storage.open(key, (await storage.etagOf(key)) ?? '')
  const half = Buffer.from(await source.read(0, Math.floor(source.size / 2)))
  await put(key, { content: half, what: 'its first half' }, reach)
}

async function put(
  key: string,
  { content, what }: { readonly content: Buffer; readonly what: string },
  { observer: { storage }, faults }: Reach,
): Promise<void> {
  await storage.put(key, content, 'video/mp4')
  const etag = await storage.etagOf(key)
  faults.recordUnnoticed(REPLACED_FILE, `the file ${key} is replaced by ${what} with the ETag ${etag}`)
}

async function replaceOne(by: Replacement, { resources, observer, faults }: ChaosTargets): Promise<void> {
  const { records, storage } = observer
  for (const { kind, id, projectId, status } of resources.changes) {
    const key = `${projectId}/${id}/archive.mp4`
    if (kind !== 'archive' || status !== 'uploaded' || !parseArchiveKey(key)) continue
    const manifest = await records.readManifestIfOwn(id)
    if (manifest?.status !== 'complete' || manifest.source.key !== key || manifest.source.size < LEAST) continue
    if (by === 'half') return replaceByHalf(key, { observer, faults })
    const source = await storage.open(key, manifest.source.etag ?? '')
    const half = Buffer.from(await source.read(0, Math.floor(source.size / 2)))
    return put(key, { content: another(half, by), what: 'another' }, { observer, faults })
  }
}

/** Returns the bytes of a whole file that states half of the time, and perhaps other pictures. */
function another(half: Buffer, by: 'shorter' | 'other'): Buffer {
  const head = half.toString('utf8', 0, FACTS_BYTES)
  const facts = factsIn(head)
  if (!facts) throw new Error('The file states no facts.')
  const { seconds, resolution } = facts
  const smaller = resolution === OTHER_SIZE ? '640x480' : OTHER_SIZE
  const stated = JSON.stringify({
    ...facts,
    seconds: seconds / 2,
    size: half.length,
    resolution: by === 'other' ? smaller : resolution,
  })
  const file = Buffer.alloc(half.length)
  file.write(`${head.split('\n', 1)[0]}\n${stated}\n`)
  return file
}
