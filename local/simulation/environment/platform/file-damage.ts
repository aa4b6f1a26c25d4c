import { Readable } from 'node:stream'
import type { RecordedFile } from '../../../sandbox/media/media.ts'

/** Damage of a downloaded file: it is too short or too long, or has one other byte. */
export const damages = ['truncated', 'longer', 'altered'] as const
export type Damage = (typeof damages)[number]

export interface DamageOrder {
  /** Number of recorded files that are half as long as the platform reports. */
  readonly truncatedFiles: number
  /** Damage of the next downloads. */
  readonly downloads: readonly Damage[]
  readonly onDamage: (kind: string, words: string) => void
}

/** Notes the files that the platform records, and damages some of them on their way. */
export function createFileDamage() {
  const files = new Map<string, Pick<RecordedFile, 'size' | 'sha256'>>()
  let left: DamageOrder = { truncatedFiles: 0, downloads: [], onDamage() {} }
  return {
    /** The recorded files of archives by their ids, undamaged. */
    files: files as ReadonlyMap<string, Pick<RecordedFile, 'size' | 'sha256'>>,
    order(order: DamageOrder): void {
      left = order
    },
    /** Notes a recorded file. Returns it, or one whose content is shorter than its size. */
    truncate(id: string, file: RecordedFile): RecordedFile {
      const { size, sha256 } = file
      files.set(id, { size, sha256 })
      if (left.truncatedFiles === 0) return file
      left = { ...left, truncatedFiles: left.truncatedFiles - 1 }
      left.onDamage(TRUNCATED_FILE, `the file of the archive ${id} is truncated`)
      const end = Math.floor(size / 2) - 1
      return { ...file, open: (range) => (range ? file.open(range) : file.open({ start: 0, end })) }
    },
    /** Returns the answer to a request, damaged if it is a download whose turn it is. */
    async apply(request: Request, answer: Response): Promise<Response> {
      const [damage, ...downloads] = left.downloads
      if (!damage || !answer.ok || !new URL(request.url).pathname.startsWith('/downloads/')) return answer
      left = { ...left, downloads }
      left.onDamage('damaged download', `a download is ${damage}`)
      const bytes = spoil(Buffer.from(await answer.arrayBuffer()), damage)
      const headers = new Headers(answer.headers)
      headers.delete('content-length')
      return new Response(Readable.toWeb(Readable.from([bytes])) as ReadableStream, { status: answer.status, headers })
    },
  }
}

/** The fault of a file that is shorter than the platform reports. */
export const TRUNCATED_FILE = 'truncated file'

function spoil(bytes: Buffer, damage: Damage): Buffer {
  if (damage === 'truncated') return bytes.subarray(0, Math.floor(bytes.length / 2))
  if (damage === 'longer') return Buffer.concat([bytes, Buffer.from('.')])
  const altered = Buffer.from(bytes)
  altered[altered.length - 1] = ~(altered.at(-1) ?? 0)
  return altered
}
