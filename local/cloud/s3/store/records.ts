import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Algorithm, Checksums, ChecksumType, ObjectChecksum } from '../checksums.ts'
import { openDatabase } from './database.ts'

export interface Extent {
  blob: number
  start: number
  length: number
  /** CRC-32 of its bytes in base64; undefined if unknown, as for a part of a sequence. */
  crc32?: string
}

/** Attributes of a client: headers by name, which are returned on reading, and tags. */
export interface Attributes {
  headers: Record<string, string>
  tags: Record<string, string>
}

export interface ObjectRecord extends Attributes {
  /** Grows with every write anywhere, so it orders the versions of a key. */
  id: number
  /** True if it was written while its bucket kept versions. Otherwise it is the key’s null version. */
  isVersion?: boolean
  /** True for a delete marker, which has no bytes. */
  isMarker?: boolean
  bucket: string
  key: string
  size: number
  /** Entity tag without quotes. */
  etag: string
  /** Milliseconds since the epoch. */
  created: number
  checksum: ObjectChecksum
}

export interface UploadRecord extends Attributes {
  id: string
  bucket: string
  key: string
  created: number
  /**
   * Checksum of the upload. Absent if the client named none: then S3 checks those of the parts and stores its default.
   */
  checksum?: { algorithm: Algorithm; type: ChecksumType }
}

export interface PartRecord {
  id: number
  upload: string
  number: number
  size: number
  /** 32 hexadecimal digits. */
  etag: string
  created: number
  checksums: Checksums
}

const LISTING =
  'SELECT MAX(id) AS id, bucket, key, size, etag, created, details FROM objects WHERE bucket = ? AND key >= ? AND key < ? GROUP BY key ORDER BY key'

const VERSIONS = 'SELECT * FROM objects WHERE bucket = ? AND key >= ? AND (key > ? OR id < ?) ORDER BY key, id DESC'

/** In the order of the index, backwards: sorting would take ten times as long. */
const VERSIONS_UNDER = 'SELECT * FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key DESC, id DESC'

/** Numbers that are taken at once: each taking is an update. */
const NUMBERS_AT_ONCE = 1_000

/** Maximum number of current versions that are kept in memory, of about 500 bytes each. */
const MAX_CURRENT = 50_000

type Row = Record<string, SQLInputValue>

/** The index of what exists. Every method is synchronous, so the steps inside one `transaction` are seen as one. */
export type ObjectRecords = ReturnType<typeof openRecords>

/** @throws Error when another process uses the file */
export function openRecords(file: string) {
  const database = openDatabase(file)
  const statements = new Map<string, StatementSync>()
  const sql = (text: string) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }
  /** Statements that no listing uses, by their text. */
  const unused = new Map<string, StatementSync[]>()
  /** Yields rows. A listing that starts while another is open needs its own statement. */
  function* iterate(text: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    const same = unused.get(text) ?? []
    unused.set(text, same)
    const statement = same.pop() ?? database.prepare(text)
    try {
      for (const found of statement.iterate(...values)) yield found as Row
    } finally {
      same.push(statement)
    }
  }
  const run = (text: string, ...values: SQLInputValue[]) => sql(text).run(...values)
  const row = (text: string, ...values: SQLInputValue[]) => sql(text).get(...values) as Row | undefined
  const rows = (text: string, ...values: SQLInputValue[]) => sql(text).all(...values) as Row[]

  const addExtents = (owner: number, extents: Extent[]) => {
    let at = 0
    for (const { blob, start, length, crc32 = null } of extents) {
      run('INSERT INTO extents VALUES (?, ?, ?, ?, ?, ?)', owner, at, blob, start, length, crc32)
      at += length
    }
  }
  /** Current versions by bucket and key, undefined for keys without one: most reads are of few keys. */
  const current = new Map<string, ObjectRecord | undefined>()
  const nameOf = (bucket: string, key: string) => `${bucket}/${key}`
  const forget = ({ bucket, key }: Pick<ObjectRecord, 'bucket' | 'key'>) => current.delete(nameOf(bucket, key))
  /** Returns the current version or delete marker. */
  const latest = (bucket: string, key: string) => {
    const name = nameOf(bucket, key)
    if (current.has(name)) return current.get(name)
    const found = row(
      'SELECT * FROM objects WHERE bucket = ? AND key = ? ORDER BY id DESC LIMIT 1',
      bucket,
      Buffer.from(key),
    )
    const object = found && toObject(found)
    if (current.size >= MAX_CURRENT) current.clear()
    current.set(name, object)
    return object
  }
  /** Numbers that no other process gets. */
  let taken = { next: 0, end: 0 }
  const removeExtents = (owner: number) => run('DELETE FROM extents WHERE owner = ?', owner)

  return {
    transaction<T>(act: () => T): T {
      database.exec('BEGIN')
      try {
        const result = act()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        current.clear()
        taken = { next: 0, end: 0 } // perhaps taken in this transaction
        throw error
      }
    },
    /** Returns a new number, unique across restarts. */
    nextNumber(): number {
      if (taken.next === taken.end) {
        const end = row(`UPDATE numbers SET next = next + ${NUMBERS_AT_ONCE} RETURNING next AS number`)
          ?.number as number
        taken = { next: end - NUMBERS_AT_ONCE, end }
      }
      return taken.next++
    },
    addBucket: (name: string, created: number) => run('INSERT OR IGNORE INTO buckets VALUES (?, ?)', name, created),
    buckets: () => rows('SELECT name, created FROM buckets ORDER BY name') as { name: string; created: number }[],
    hasBucket: (name: string) => row('SELECT 1 FROM buckets WHERE name = ?', name) !== undefined,

    /** Returns the current version, unless it is a delete marker. */
    object(bucket: string, key: string): ObjectRecord | undefined {
      const found = latest(bucket, key)
      return found?.isMarker ? undefined : found
    },
    latest,
    version(bucket: string, key: string, id: number): ObjectRecord | undefined {
      const found = row('SELECT * FROM objects WHERE id = ? AND bucket = ? AND key = ?', id, bucket, Buffer.from(key))
      return found && toObject(found)
    },
    nullVersion: (bucket: string, key: string) =>
      rows('SELECT * FROM objects WHERE bucket = ? AND key = ?', bucket, Buffer.from(key))
        .map(toObject)
        .find(({ isVersion }) => !isVersion),
    /** Yields current objects from `from` to `end`, exclusive, in byte order of their keys. */
    *objectsBetween(bucket: string, from: Uint8Array, end: Uint8Array): IterableIterator<ObjectRecord> {
      for (const found of iterate(LISTING, bucket, from, end)) {
        const known = current.get(nameOf(bucket, keyOf(found)))
        const object = known && known.id === found.id ? known : toObject(found)
        if (!object.isMarker) yield object
      }
    },
    /** Yields versions from `from`, newest first within a key; of the key `from` only those older than `before`. */
    *versionsFrom(bucket: string, from: Uint8Array, before: number): IterableIterator<ObjectRecord> {
      for (const found of iterate(VERSIONS, bucket, from, from, before)) yield toObject(found)
    },
    /** Returns the versions of keys with a prefix in ASCII, newest first within a key. */
    versionsUnder(bucket: string, prefix: string): ObjectRecord[] {
      const end = Buffer.from(prefix)
      end[end.length - 1] = (end.at(-1) ?? 0) + 1
      return rows(VERSIONS_UNDER, bucket, Buffer.from(prefix), end).map(toObject)
    },
    addObject({ id, bucket, key, size, etag, created, ...rest }: ObjectRecord, extents: Extent[]): void {
      const details = JSON.stringify(rest)
      current.set(nameOf(bucket, key), { id, bucket, key, size, etag, created, ...rest })
      run(
        'INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        bucket,
        Buffer.from(key),
        size,
        etag,
        created,
        details,
      )
      addExtents(id, extents)
    },
    setAttributes({ id, bucket, key, isVersion, checksum }: ObjectRecord, { headers, tags }: Attributes): void {
      forget({ bucket, key })
      const details = JSON.stringify({ isVersion, headers, tags, checksum })
      run('UPDATE objects SET details = ? WHERE id = ?', details, id)
    },
    removeObject({ id, bucket, key }: ObjectRecord): void {
      forget({ bucket, key })
      removeExtents(id)
      run('DELETE FROM objects WHERE id = ?', id)
    },

    upload(id: string): UploadRecord | undefined {
      const found = row('SELECT * FROM uploads WHERE id = ?', id)
      return found && (withDetails(found) as unknown as UploadRecord)
    },
    /** Lists a bucket’s uploads by key and time. */
    uploads: (bucket: string) =>
      rows('SELECT * FROM uploads WHERE bucket = ? ORDER BY key, id', bucket).map(
        (found) => withDetails(found) as unknown as UploadRecord,
      ),
    addUpload({ id, bucket, key, created, headers, tags, checksum }: UploadRecord): void {
      const details = JSON.stringify({ headers, tags, checksum })
      run('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)', id, bucket, Buffer.from(key), created, details)
    },
    removeUpload({ id }: UploadRecord): void {
      run('DELETE FROM extents WHERE owner IN (SELECT id FROM parts WHERE upload = ?)', id)
      run('DELETE FROM parts WHERE upload = ?', id)
      run('DELETE FROM uploads WHERE id = ?', id)
    },
    parts: (upload: string) =>
      rows('SELECT * FROM parts WHERE upload = ? ORDER BY number', upload).map(
        (found) => withDetails(found) as unknown as PartRecord,
      ),
    addPart({ id, upload, number, size, etag, created, checksums }: PartRecord, extents: Extent[]): void {
      const details = JSON.stringify({ checksums })
      run('INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)', id, upload, number, size, etag, created, details)
      addExtents(id, extents)
    },
    removePart({ id }: PartRecord): void {
      removeExtents(id)
      run('DELETE FROM parts WHERE id = ?', id)
    },

    /** Returns the extents of bytes `start` to `end` (exclusive) of an object or part. */
    extents(owner: number, start = 0, end = Number.MAX_SAFE_INTEGER): Extent[] {
      return rows(
        'SELECT * FROM extents WHERE owner = ? AND at < ? AND at + length > ? ORDER BY at',
        owner,
        end,
        start,
      ).map((found) => {
        const { at, crc32, ...whole } = found as unknown as Omit<Extent, 'crc32'> & { at: number; crc32: string | null }
        const skipped = Math.max(0, start - at)
        const length = Math.min(whole.length, end - at) - skipped
        const isWhole = length === whole.length
        return { blob: whole.blob, start: whole.start + skipped, length, ...(isWhole && crc32 && { crc32 }) }
      })
    },
    isUsed: (blob: number) => row('SELECT 1 FROM extents WHERE blob = ? LIMIT 1', blob) !== undefined,
    close: () => database.close(),
  }
}

const keyOf = ({ key }: Row): string => Buffer.from(key as Uint8Array).toString()

const toObject = (row: Row) => withDetails(row) as unknown as ObjectRecord

function withDetails({ details, ...rest }: Row): Row {
  return { ...rest, ...(rest.key !== undefined && { key: keyOf(rest) }), ...JSON.parse(details as string) }
}
