import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { createQueryAnswers } from './query-answers.ts'
import type {
  AccountRecord,
  ArchiveRecord,
  BroadcastRecord,
  CallbackRecord,
  CallRecord,
  ComposerRecord,
  ConnectionRecord,
  ProjectRecord,
  SessionRecord,
  SignalRecord,
  StreamRecord,
} from './records.ts'
import type { Span, StreamMeasurement } from './spans.ts'

/** The records of one resource. Order is the order of insertion. */
export interface Collection<R extends { readonly id: string }> {
  insert(record: R): void
  get(id: string): R | undefined
  /** Oldest first. */
  find(match?: Match<R>): R[]
  oldest(match?: Match<R>): R | undefined
  count(match: Match<R>): number
  /** Returns a page, newest first; `total` counts all that match. */
  page(match: Match<R>, page: { readonly offset: number; readonly count: number }): { total: number; items: R[] }
  /** Changes fields other than the status, which changes through transitions.ts alone. */
  update(id: string, changes: Partial<Omit<R, 'id' | 'status'>>): R
  /** Replaces a whole record, its status included: for transitions.ts. */
  replace(record: R): void
  remove(id: string): void
}

/** Values that fields must equal; several values mean any of them, undefined matches everything. */
export type Match<R> = { readonly [Key in keyof R]?: R[Key] | readonly R[Key][] | undefined }

export type Store = ReturnType<typeof createStore>

/** Creates a file that only its owner can read. SQLite gives the files beside it the same mode. */
function privateFileIn(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'sandbox.sqlite')
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/**
 * Opens the records in `directory` or in memory. The directory is created if needed, for its owner only: it holds secrets.
 * The changes of one turn of the event loop are one transaction, which the operating system has before any answer goes out:
 * they survive a killed process. Nothing waits for the disk itself, so that a power failure may lose the last moments, but
 * leaves the records readable.
 */
export function createStore(directory?: string) {
  const database = new DatabaseSync(directory ? privateFileIn(directory) : ':memory:')
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  const { change, commit } = createTransactions(database)
  const createCollection = <R extends { readonly id: string }>(
    table: string,
    indexed: readonly (keyof R & string)[],
    listed: readonly (keyof R & string)[] = [],
  ) => openCollection<R>(database, change, { table, indexed, listed })
  return {
    accounts: createCollection<AccountRecord>('accounts', []),
    projects: createCollection<ProjectRecord>('projects', []),
    sessions: createCollection<SessionRecord>('sessions', []),
    connections: createCollection<ConnectionRecord>('connections', ['sessionId']),
    streams: createCollection<StreamRecord>('streams', ['sessionId', 'connectionId']),
    signals: createCollection<SignalRecord>('signals', ['connectionId']),
    archives: createCollection<ArchiveRecord>('archives', ['sessionId'], ['projectId', 'status']),
    broadcasts: createCollection<BroadcastRecord>('broadcasts', ['sessionId'], ['projectId', 'status']),
    calls: createCollection<CallRecord>('calls', ['sessionId', 'connectionId']),
    composers: createCollection<ComposerRecord>('composers', ['sessionId'], ['projectId', 'status']),
    /** Callbacks that are not delivered yet. */
    callbacks: createCollection<CallbackRecord>('callbacks', []),
    /** History for Insights. */
    spans: createCollection<Span>('spans', ['projectId', 'sessionId', 'subject']),
    /** Quality of WebRTC streams for Insights. */
    measurements: createCollection<StreamMeasurement>('measurements', []),
    close() {
      commit()
      database.close()
    },
  }
}

/** Combines all changes until the next microtask into one transaction, which is committed before any answer or file. */
function createTransactions(database: DatabaseSync): { change: () => void; commit: () => void } {
  let isOpen = false
  const commit = () => {
    if (isOpen) database.exec('commit')
    isOpen = false
  }
  return {
    commit,
    change() {
      if (isOpen) return
      database.exec('begin immediate')
      isOpen = true
      queueMicrotask(commit)
    },
  }
}

interface TableOptions<R> {
  readonly table: string
  /** Fields with an index each. */
  readonly indexed: readonly (keyof R & string)[]
  /**
   * The field by whose value pages are read, and those that filter them: an index answers such a query without reading
   * the documents. The first has no own index, which SQLite would prefer to that of a session.
   */
  readonly listed: readonly (keyof R & string)[]
}

/** Opens a table of JSON documents. Table and field names are constants of this program; values are always bound. */
function openCollection<R extends { readonly id: string }>(
  database: DatabaseSync,
  /** Called before each change. */
  change: () => void,
  { table, indexed, listed }: TableOptions<R>,
): Collection<R> {
  const [by, ...filters] = listed
  const createIndex = (name: string, columns: readonly string[]) =>
    `create index if not exists ${table}_${name} on ${table} (${columns.join(', ')})`
  const createTable = () =>
    database.exec(
      [
        `create table if not exists ${table} (sequence integer primary key, id text not null unique, record text not null)`,
        ...indexed.map((field) => createIndex(field, [column(field)])),
        ...(by ? [createIndex('listed', [column(by), 'sequence', ...filters.map(column), 'id'])] : []),
      ].join(';'),
    )

  /** Prepared statements: there are few, and preparing one costs more than running it. */
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    if (prepared.size === 0) createTable() // most sandboxes use few tables
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const select = (match: Match<R>, what: string, rest = '', more: SQLInputValue[] = []) => {
    const { where, values } = condition(match)
    return prepare(`select ${what} from ${table} where ${where} ${rest}`).all(...values, ...more)
  }

  const { remember, forget } = createQueryAnswers<R>(indexed)

  /** Records that were read, until they change: reading again takes longer than the rest of an answer. */
  const cached = new Map<string, R>()
  const read = (id: string): R | undefined => {
    const known = cached.get(id)
    if (known) return known
    const row = prepare(`select record from ${table} where id = ?`).get(id)
    if (!row) return undefined
    const record = deepFreeze(JSON.parse(String(row.record)) as R)
    if (cached.size >= MAX_RECORDS) cached.clear()
    cached.set(id, record)
    return record
  }
  const selectRecords = (match: Match<R>, rest: string, more?: SQLInputValue[]) =>
    select(match, 'id', rest, more).flatMap(({ id }) => read(String(id)) ?? [])
  /** Call it before a record is replaced, or with none before it is removed. */
  const beforeChange = (id: string, written?: R) => {
    for (const record of [read(id), written]) if (record) forget(record)
    cached.delete(id)
    change()
  }

  const collection: Collection<R> = {
    insert(record) {
      forget(record)
      change()
      prepare(`insert into ${table} (id, record) values (?, ?)`).run(record.id, JSON.stringify(record))
    },
    get: read,
    find: (match = {}) => [...remember(match, ['find'], () => selectRecords(match, 'order by sequence'))],
    oldest: (match = {}) => remember(match, ['oldest'], () => selectRecords(match, 'order by sequence limit 1')[0]),
    count: (match) => remember(match, ['count'], () => Number(select(match, 'count(*) as total')[0]?.total)),
    page(match, { offset, count }) {
      const items = remember(match, ['page', offset, count], () =>
        selectRecords(match, 'order by sequence desc limit ? offset ?', [count, offset]),
      )
      const isAll = offset === 0 && items.length < count // nearly always: no need to count
      return { total: isAll ? items.length : collection.count(match), items: [...items] }
    },
    update(id, changes) {
      const record = collection.get(id)
      if (!record) throw new Error(`There is no record ${id} in ${table} to update.`)
      const updated = { ...record, ...changes }
      collection.replace(updated)
      return updated
    },
    replace(record) {
      beforeChange(record.id, record)
      prepare(`update ${table} set record = ? where id = ?`).run(JSON.stringify(record), record.id)
    },
    remove(id) {
      beforeChange(id)
      prepare(`delete from ${table} where id = ?`).run(id)
    },
  }
  return collection
}

/** Maximum number of cached records per table: more than a list of all archives that run at once. */
const MAX_RECORDS = 50_000

/** Freezes a record, because all readers share the same object. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

function condition(match: Readonly<Record<string, unknown>>): { where: string; values: SQLInputValue[] } {
  const tests = ['true']
  const values: SQLInputValue[] = []
  for (const [field, wanted] of Object.entries(match)) {
    if (wanted === undefined) continue
    const any = (Array.isArray(wanted) ? wanted : [wanted]) as SQLInputValue[]
    tests.push(`${column(field)} in (${any.map(() => '?').join(', ')})`)
    values.push(...any)
  }
  return { where: tests.join(' and '), values }
}

const column = (field: string) => `(record ->> '$.${field}')`
