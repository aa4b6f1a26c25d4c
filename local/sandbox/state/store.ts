import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
import type { Span } from './spans.ts'

/** The records of one resource. Order is the order of insertion. */
export interface Collection<R extends { readonly id: string }> {
  insert(record: R): void
  get(id: string): R | undefined
  /** Oldest first. */
  find(match?: Match<R>): R[]
  oldest(match?: Match<R>): R | undefined
  count(match: Match<R>): number
  /** Newest first; `total` counts all that match. */
  page(match: Match<R>, page: { readonly offset: number; readonly count: number }): { total: number; items: R[] }
  /** Changes fields that carry no status: those change through transitions.ts alone. */
  update(id: string, changes: Partial<Omit<R, 'id' | 'status'>>): R
  /** Replaces a whole record, its status included: for transitions.ts. */
  replace(record: R): void
  remove(id: string): void
}

/** Equal in every field given; several values mean any of them, undefined means whatever there is. */
export type Match<R> = { readonly [Key in keyof R]?: R[Key] | readonly R[Key][] | undefined }

export interface Store {
  readonly accounts: Collection<AccountRecord>
  readonly projects: Collection<ProjectRecord>
  readonly sessions: Collection<SessionRecord>
  readonly connections: Collection<ConnectionRecord>
  readonly streams: Collection<StreamRecord>
  readonly signals: Collection<SignalRecord>
  readonly archives: Collection<ArchiveRecord>
  readonly broadcasts: Collection<BroadcastRecord>
  readonly calls: Collection<CallRecord>
  readonly composers: Collection<ComposerRecord>
  /** Those that have not been delivered. */
  readonly callbacks: Collection<CallbackRecord>
  /** What has happened, for Insights. */
  readonly spans: Collection<Span>
  close(): void
}

/** A file that only its owner can read, whoever can read the folder; SQLite gives the files beside it the same mode. */
function privateFileIn(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'sandbox.sqlite')
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  return file
}

/**
 * Opens the records in `directory`, which is made if need be (for its owner only: it holds secrets), or in memory. What is
 * changed in one go is kept whole or not at all, and is in the hands of the operating system before anybody can be told
 * of it: it outlives a process that is killed. Nothing waits for the disk itself, so that a machine which loses its power
 * may lose the last moments, though never what makes the records unreadable.
 */
export function createStore(directory?: string): Store {
  const database = new DatabaseSync(directory ? privateFileIn(directory) : ':memory:')
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  const { change, commit } = changesInOneGo(database)
  const createCollection = <R extends { readonly id: string }>(table: string, indexed: readonly (keyof R & string)[]) =>
    openCollection<R>(database, change, table, indexed)
  return {
    accounts: createCollection('accounts', []),
    projects: createCollection('projects', []),
    sessions: createCollection('sessions', []),
    connections: createCollection('connections', ['sessionId']),
    streams: createCollection('streams', ['sessionId', 'connectionId']),
    signals: createCollection('signals', ['connectionId']),
    archives: createCollection('archives', ['projectId', 'sessionId']),
    broadcasts: createCollection('broadcasts', ['projectId', 'sessionId']),
    calls: createCollection('calls', ['sessionId', 'connectionId']),
    composers: createCollection('composers', ['projectId', 'sessionId']),
    callbacks: createCollection('callbacks', []),
    spans: createCollection('spans', ['projectId', 'sessionId', 'subject']),
    close() {
      commit()
      database.close()
    },
  }
}

/** Makes one transaction of all changes until somebody else gets their turn, which no answer and no file precedes. */
function changesInOneGo(database: DatabaseSync): { change: () => void; commit: () => void } {
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

/** A table of JSON documents; table and field names come from this program alone, values are always bound. */
function openCollection<R extends { readonly id: string }>(
  database: DatabaseSync,
  /** Called before each change. */
  change: () => void,
  table: string,
  indexed: readonly (keyof R & string)[],
): Collection<R> {
  database.exec(
    `create table if not exists ${table} (sequence integer primary key, id text not null unique, record text not null)`,
  )
  for (const field of indexed)
    database.exec(`create index if not exists ${table}_${field} on ${table} (${column(field)})`)

  /** Statements are kept: there are few, and preparing one costs more than running it. */
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const select = (match: Match<R>, what: string, rest = '', more: SQLInputValue[] = []) => {
    const { where, values } = condition(match)
    return prepare(`select ${what} from ${table} where ${where} ${rest}`).all(...values, ...more)
  }
  const parse = (row: Record<string, unknown>) => JSON.parse(String(row.record)) as R

  /** What `get` has read, until it changes: reading it anew takes longer than everything else an answer needs of it. */
  const known = new Map<string, R>()
  const learn = (record: R) => {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(record.id, deepFreeze(record))
    return record
  }

  const collection: Collection<R> = {
    insert(record) {
      change()
      prepare(`insert into ${table} (id, record) values (?, ?)`).run(record.id, JSON.stringify(record))
    },
    get(id) {
      const record = known.get(id)
      if (record) return record
      const row = prepare(`select record from ${table} where id = ?`).get(id)
      return row && learn(parse(row))
    },
    find: (match = {}) => select(match, 'record', 'order by sequence').map(parse),
    oldest: (match = {}) => select(match, 'record', 'order by sequence limit 1').map(parse)[0],
    count: (match) => Number(select(match, 'count(*) as total')[0]?.total),
    page(match, { offset, count }) {
      const items = select(match, 'record', 'order by sequence desc limit ? offset ?', [count, offset]).map(parse)
      const isAll = offset === 0 && items.length < count // nearly always: nothing is left to be counted
      return { total: isAll ? items.length : collection.count(match), items }
    },
    update(id, changes) {
      const record = collection.get(id)
      if (!record) throw new Error(`There is no record ${id} in ${table} to update.`)
      const updated = { ...record, ...changes }
      collection.replace(updated)
      return updated
    },
    replace(record) {
      known.delete(record.id)
      change()
      prepare(`update ${table} set record = ? where id = ?`).run(JSON.stringify(record), record.id)
    },
    remove(id) {
      known.delete(id)
      change()
      prepare(`delete from ${table} where id = ?`).run(id)
    },
  }
  return collection
}

/** Records of a table that are kept beside it; more would cost memory that one show never needs. */
const MAX_KNOWN = 1_000

/** Whoever gets a record gets the same one as everybody else. */
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
