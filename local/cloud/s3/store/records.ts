import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Algorithm, Checksums, ChecksumType, ObjectChecksum } from '../checksums.ts'
import { openDatabase } from './database.ts'

/** A run of bytes within a blob. */
export interface Extent {
  blob: number
  start: number
  length: number
  /** Of its bytes, in base64; undefined where it is not known, as of a part of a run that has one. */
  crc32?: string
}

/** What a client attached: headers given back on reading (by name), and tags. */
export interface Attributes {
  headers: Record<string, string>
  tags: Record<string, string>
}

/** One version of a key. */
export interface ObjectRecord extends Attributes {
  /** Grows with every write anywhere, so it orders the versions of a key. */
  id: number
  /** Whether it was written while its bucket kept versions: what was not is the key's one null version. */
  isVersion?: boolean
  /** Whether it says that the key was deleted: then it has no bytes. */
  isMarker?: boolean
  bucket: string
  key: string
  size: number
  /** Without quotes. */
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
  /** Absent when the client named none: then S3 checks whatever comes with a part and keeps its own default. */
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

type Row = Record<string, SQLInputValue>

/** The index of what exists. Every method is synchronous, so the steps inside one `transaction` are seen as one. */
export interface Records {
  transaction<T>(act: () => T): T
  /** A number never given before, also not before a restart. */
  nextNumber(): number
  addBucket(name: string, created: number): void
  hasBucket(name: string): boolean
  /** By name. */
  buckets(): { name: string; created: number }[]
  /** The current version, unless it is a delete marker. */
  object(bucket: string, key: string): ObjectRecord | undefined
  /** The current version, whatever it is. */
  latest(bucket: string, key: string): ObjectRecord | undefined
  version(bucket: string, key: string, id: number): ObjectRecord | undefined
  nullVersion(bucket: string, key: string): ObjectRecord | undefined
  /** Current objects from `from` (bytes) on, in the order of their keys' bytes. */
  objectsFrom(bucket: string, from: Uint8Array): IterableIterator<ObjectRecord>
  /** Every version from `from` (bytes) on, newest first within a key; of the key `from` itself those older than `before`. */
  versionsFrom(bucket: string, from: Uint8Array, before: number): IterableIterator<ObjectRecord>
  addObject(object: ObjectRecord, extents: Extent[]): void
  setAttributes(object: ObjectRecord, attributes: Attributes): void
  removeObject(object: ObjectRecord): void
  upload(id: string): UploadRecord | undefined
  /** Those of a bucket, by key and then by the order in which they began. */
  uploads(bucket: string): UploadRecord[]
  addUpload(upload: UploadRecord): void
  removeUpload(upload: UploadRecord): void
  /** In ascending order of their numbers. */
  parts(upload: string): PartRecord[]
  addPart(part: PartRecord, extents: Extent[]): void
  removePart(part: PartRecord): void
  /** What bytes `start` up to `end` (exclusive) of an object or part are made of. */
  extents(owner: number, start?: number, end?: number): Extent[]
  isUsed(blob: number): boolean
  close(): void
}

/** Opens the index in a file, or in memory with ':memory:'. Throws when another process holds the file. */
export function openRecords(file: string): Records {
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
  const latest = (bucket: string, key: string) => {
    const found = row(
      'SELECT * FROM objects WHERE bucket = ? AND key = ? ORDER BY id DESC LIMIT 1',
      bucket,
      Buffer.from(key),
    )
    return found && toObject(found)
  }
  const removeExtents = (owner: number) => run('DELETE FROM extents WHERE owner = ?', owner)

  return {
    transaction(act) {
      database.exec('BEGIN')
      try {
        const result = act()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    nextNumber: () => row('UPDATE numbers SET next = next + 1 RETURNING next - 1 AS number')?.number as number,
    addBucket: (name, created) => run('INSERT OR IGNORE INTO buckets VALUES (?, ?)', name, created),
    buckets: () => rows('SELECT name, created FROM buckets ORDER BY name') as { name: string; created: number }[],
    hasBucket: (name) => row('SELECT 1 FROM buckets WHERE name = ?', name) !== undefined,

    object(bucket, key) {
      const found = latest(bucket, key)
      return found?.isMarker ? undefined : found
    },
    latest,
    version(bucket, key, id) {
      const found = row('SELECT * FROM objects WHERE id = ? AND bucket = ? AND key = ?', id, bucket, Buffer.from(key))
      return found && toObject(found)
    },
    nullVersion: (bucket, key) =>
      rows('SELECT * FROM objects WHERE bucket = ? AND key = ?', bucket, Buffer.from(key))
        .map(toObject)
        .find(({ isVersion }) => !isVersion),
    *objectsFrom(bucket, from) {
      // A statement of its own, since a listing may be left and begun anew while this one is still open.
      const statement = database.prepare(
        'SELECT MAX(id) AS id, bucket, key, size, etag, created, details FROM objects WHERE bucket = ? AND key >= ? GROUP BY key ORDER BY key',
      )
      for (const found of statement.iterate(bucket, from)) {
        const object = toObject(found as Row)
        if (!object.isMarker) yield object
      }
    },
    *versionsFrom(bucket, from, before) {
      const statement = database.prepare(
        'SELECT * FROM objects WHERE bucket = ? AND (key > ? OR (key = ? AND id < ?)) ORDER BY key, id DESC',
      )
      for (const found of statement.iterate(bucket, from, from, before)) yield toObject(found as Row)
    },
    addObject({ id, bucket, key, size, etag, created, ...rest }, extents) {
      const details = JSON.stringify(rest)
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
    setAttributes({ id, isVersion, checksum }, { headers, tags }) {
      const details = JSON.stringify({ isVersion, headers, tags, checksum })
      run('UPDATE objects SET details = ? WHERE id = ?', details, id)
    },
    removeObject({ id }) {
      removeExtents(id)
      run('DELETE FROM objects WHERE id = ?', id)
    },

    upload(id) {
      const found = row('SELECT * FROM uploads WHERE id = ?', id)
      return found && (withDetails(found) as unknown as UploadRecord)
    },
    uploads: (bucket) =>
      rows('SELECT * FROM uploads WHERE bucket = ? ORDER BY key, id', bucket).map(
        (found) => withDetails(found) as unknown as UploadRecord,
      ),
    addUpload({ id, bucket, key, created, headers, tags, checksum }) {
      const details = JSON.stringify({ headers, tags, checksum })
      run('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)', id, bucket, Buffer.from(key), created, details)
    },
    removeUpload({ id }) {
      run('DELETE FROM extents WHERE owner IN (SELECT id FROM parts WHERE upload = ?)', id)
      run('DELETE FROM parts WHERE upload = ?', id)
      run('DELETE FROM uploads WHERE id = ?', id)
    },
    parts: (upload) =>
      rows('SELECT * FROM parts WHERE upload = ? ORDER BY number', upload).map(
        (found) => withDetails(found) as unknown as PartRecord,
      ),
    addPart({ id, upload, number, size, etag, created, checksums }, extents) {
      const details = JSON.stringify({ checksums })
      run('INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)', id, upload, number, size, etag, created, details)
      addExtents(id, extents)
    },
    removePart({ id }) {
      removeExtents(id)
      run('DELETE FROM parts WHERE id = ?', id)
    },

    extents(owner, start = 0, end = Number.MAX_SAFE_INTEGER) {
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
    isUsed: (blob) => row('SELECT 1 FROM extents WHERE blob = ? LIMIT 1', blob) !== undefined,
    close: () => database.close(),
  }
}

const toObject = (row: Row) => withDetails(row) as unknown as ObjectRecord

function withDetails({ details, key, ...rest }: Row): Row {
  return {
    ...rest,
    ...(key === undefined ? {} : { key: Buffer.from(key as Uint8Array).toString() }),
    ...JSON.parse(details as string),
  }
}
