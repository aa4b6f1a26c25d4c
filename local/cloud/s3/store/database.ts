import { DatabaseSync } from 'node:sqlite'

const SCHEMA_VERSION = 2

/**
 * Schema of the index. A row of `objects` is one version of a key, or a delete marker. The row with the highest id is
 * current, so versions need no other index. Keys are blobs because S3 lists them in byte order. Objects and parts own
 * extents; several owners may share a blob, which makes copies cheap.
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
    length INTEGER NOT NULL, crc32 TEXT, PRIMARY KEY (owner, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owners_of_blob ON extents (blob);
  PRAGMA user_version = ${SCHEMA_VERSION};
`

const FROM_VERSION_1 = `ALTER TABLE extents ADD COLUMN crc32 TEXT; PRAGMA user_version = ${SCHEMA_VERSION};`

const atOnce = (statements: string) => `BEGIN; ${statements} COMMIT`

/** @throws Error when another process uses the file */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    // Exclusive: a second process would remove the first one’s unfinished uploads.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (cause) {
    database.close()
    throw new Error(`The bucket index ${file} is in use by another process. Stop it or choose another directory.`, {
      cause,
    })
  }
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  if (version === 0) database.exec(atOnce(SCHEMA))
  else if (version === 1) database.exec(atOnce(FROM_VERSION_1))
  else if (version !== SCHEMA_VERSION) {
    database.close()
    throw new Error(
      `The bucket index ${file} has version ${version}, this program reads version ${SCHEMA_VERSION}: choose another directory.`,
    )
  }
  return database
}
