import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Algorithm, Checksums, ChecksumType, ObjectChecksum } from './checksums.ts'

/** A run of bytes within a blob. */
export interface Extent {
  blob: number
  start: number
  length: number
}

/** What a client attached: headers given back on reading (by name), and tags. */
export interface Attributes {
  headers: Record<string, string>
  tags: Record<string, string>
}

export interface ObjectRecord extends Attributes {
  /** Grows with every write anywhere, so it orders the versions of a key. */
  id: number
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
  /** MD5, hexadecimal. */
  etag: string
  created: number
  checksums: Checksums
}

const SCHEMA_VERSION = 1

/**
 * A row of `objects` is one version of a key and the one with the highest id is current, so versioning needs no other
 * index: today a write removes the row it replaces. Keys are blobs because S3 lists them in the order of their bytes.
 * Objects and parts own extents; several owners may share a blob, which is what makes copies cheap.
 */
const SCHEMA = `
  CREATE TABLE numbers (next INTEGER NOT NULL) STRICT;
  INSERT INTO numbers VALUES (1);
  CREATE TABLE buckets (name TEXT PRIMARY KEY, created INTEGER NOT NULL) STRICT;
  CREATE TABLE objects (
    id INTEGER PRIMARY KEY, bucket TEXT NOT NULL REFERENCES buckets, key BLOB NOT NULL, size INTEGER NOT NULL,
    etag TEXT NOT NULL, created INTEGER NOT NULL, details TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX versions_of_key ON objects (bucket, key, id);
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL REFERENCES buckets, key BLOB NOT NULL, created INTEGER NOT NULL,
    details TEXT NOT NULL
  ) STRICT;
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY, upload TEXT NOT NULL REFERENCES uploads, number INTEGER NOT NULL, size INTEGER NOT NULL,
    etag TEXT NOT NULL, created INTEGER NOT NULL, details TEXT NOT NULL, UNIQUE (upload, number)
  ) STRICT;
  CREATE TABLE extents (
    owner INTEGER NOT NULL, at INTEGER NOT NULL, blob INTEGER NOT NULL, start INTEGER NOT NULL,
    length INTEGER NOT NULL, PRIMARY KEY (owner, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owners_of_blob ON extents (blob);
  PRAGMA user_version = ${SCHEMA_VERSION};
`

type Row = Record<string, SQLInputValue>

/** The index of what exists. Every method is synchronous, so the steps inside one `transaction` are seen as one. */
export interface Records {
  transaction<T>(act: () => T): T
  /** A number never given before, also not before a restart. */
  nextNumber(): number
  addBucket(name: string, created: number): void
  hasBucket(name: string): boolean
  object(bucket: string, key: string): ObjectRecord | undefined
  /** Current objects from `from` (bytes) on, in the order of their keys' bytes. */
  objectsFrom(bucket: string, from: Uint8Array): IterableIterator<ObjectRecord>
  addObject(object: ObjectRecord, extents: Extent[]): void
  setAttributes(object: ObjectRecord, attributes: Attributes): void
  removeObject(object: ObjectRecord): void
  upload(id: string): UploadRecord | undefined
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
    for (const { blob, start, length } of extents) {
      run('INSERT INTO extents VALUES (?, ?, ?, ?, ?)', owner, at, blob, start, length)
      at += length
    }
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
    hasBucket: (name) => row('SELECT 1 FROM buckets WHERE name = ?', name) !== undefined,

    object(bucket, key) {
      const found = row(
        'SELECT * FROM objects WHERE bucket = ? AND key = ? ORDER BY id DESC LIMIT 1',
        bucket,
        Buffer.from(key),
      )
      return found && toObject(found)
    },
    *objectsFrom(bucket, from) {
      // A statement of its own, since a listing may be left and begun anew while this one is still open.
      const statement = database.prepare(
        'SELECT MAX(id) AS id, bucket, key, size, etag, created, details FROM objects WHERE bucket = ? AND key >= ? GROUP BY key ORDER BY key',
      )
      for (const found of statement.iterate(bucket, from)) yield toObject(found as Row)
    },
    addObject({ id, bucket, key, size, etag, created, headers, tags, checksum }, extents) {
      const details = JSON.stringify({ headers, tags, checksum })
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
    setAttributes({ id, checksum }, { headers, tags }) {
      run('UPDATE objects SET details = ? WHERE id = ?', JSON.stringify({ headers, tags, checksum }), id)
    },
    removeObject({ id }) {
      removeExtents(id)
      run('DELETE FROM objects WHERE id = ?', id)
    },

    upload(id) {
      const found = row('SELECT * FROM uploads WHERE id = ?', id)
      return found && (withDetails(found) as unknown as UploadRecord)
    },
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
        const { at, blob, start: first, length } = found as unknown as Extent & { at: number }
        const skipped = Math.max(0, start - at)
        return { blob, start: first + skipped, length: Math.min(length, end - at) - skipped }
      })
    },
    isUsed: (blob) => row('SELECT 1 FROM extents WHERE blob = ? LIMIT 1', blob) !== undefined,
    close: () => database.close(),
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    // Exclusive: a second process would take the first one's unfinished uploads for leftovers and remove them.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (cause) {
    database.close()
    throw new Error(`The bucket index ${file} is in use by another process: stop it or choose another directory.`, {
      cause,
    })
  }
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  if (version === 0) database.exec(SCHEMA)
  else if (version !== SCHEMA_VERSION) {
    database.close()
    throw new Error(
      `The bucket index ${file} has version ${version}, this program reads version ${SCHEMA_VERSION}: choose another directory.`,
    )
  }
  return database
}

const toObject = (row: Row) => withDetails(row) as unknown as ObjectRecord

function withDetails({ details, key, ...rest }: Row): Row {
  return {
    ...rest,
    ...(key === undefined ? {} : { key: Buffer.from(key as Uint8Array).toString() }),
    ...JSON.parse(details as string),
  }
}
