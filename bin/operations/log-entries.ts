import type { FunctionLogLine } from '../local/function-log.ts'
import { localClock } from '../terminal/local-time.ts'
import { oneLine } from './terminal-text.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** A line of a function, as people read it. */
export interface LogEntry {
  readonly at: string
  /** Name of the task, or of the function if it has none. */
  readonly task: string
  readonly level: LogLevel
  readonly text: string
  /** True for a read of the API and a line of its access log, which say nothing about the show. */
  readonly isRead: boolean
}

/** Fields of a structured line that its entry shows elsewhere, or that only machines need. */
const HIDDEN = new Set([
  ...['level', 'message', 'timestamp', 'service', 'task', 'showId', 'milliseconds', 'requestId', 'apiRequestId'],
  ...['execution', 'xray_trace_id', 'function_request_id', 'cold_start'],
])

/**
 * Returns the entries of log lines. Indented lines, such as a stack trace, have the level of the line before. The lines in which
 * Lambda repeats the error of a structured line are omitted.
 */
export function entriesOf(lines: readonly FunctionLogLine[]): LogEntry[] {
  const latest = new Map<string, LogEntry | undefined>()
  const structured = new Map<string, string>()
  return lines.flatMap((line) => {
    const { at, name, text } = line
    const isContinued = /^\s/.test(text) && latest.has(name)
    const before = isContinued ? latest.get(name) : undefined
    const reason = reasonIn(text)
    if (reason !== undefined) structured.set(name, reason)
    const isRepeated = isContinued ? before === undefined : reason === undefined && repeats(text, structured.get(name))
    const entry = isRepeated ? undefined : before ? { ...before, at, text: `  ${oneLine(text)}` } : entryOf(line)
    latest.set(name, entry)
    return entry ?? []
  })
}

/** Returns the message of the error in a structured line. */
function reasonIn(text: string): string | undefined {
  const { error, reason } = fieldsOf(text) ?? {}
  const message = (error as { message?: unknown } | undefined)?.message ?? reason
  return typeof message === 'string' ? message : undefined
}

/** True for the first line of an error's stack: `ServiceError: As arranged.` */
const repeats = (text: string, reason: string | undefined): boolean =>
  reason !== undefined && /^\w*(?:Error|Exception): /.test(text) && text.endsWith(`: ${reason.split('\n')[0]}`)

function entryOf({ at, name, text }: FunctionLogLine): LogEntry {
  const task = name.replace(/[0-9A-F]{8}$/, '')
  const fields = fieldsOf(text)
  if (!fields) return { at, task, level: /error/i.test(text) ? 'error' : 'info', text: oneLine(text), isRead: false }
  const { level, message = '', milliseconds, route = '' } = fields
  const details = Object.entries(fields).flatMap(([key, value]) =>
    HIDDEN.has(key)
      ? []
      : key === 'error'
        ? shortError(value)
        : `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const duration = milliseconds === undefined || name === 'AccessLog' ? [] : [`in ${milliseconds} ms`]
  return {
    at,
    task: typeof fields.task === 'string' ? fields.task : task,
    level: logLevels.find((one) => one === String(level).toLowerCase()) ?? 'info',
    text: oneLine([message, ...duration, ...details].filter(Boolean).join(' ')),
    isRead: name === 'AccessLog' || (task === 'Api' && String(route).startsWith('GET ')),
  }
}

/** Returns the name and the message of an error. `logs --json` has its stack. */
function shortError(error: unknown): string {
  const { name, message } = (error ?? {}) as { readonly name?: unknown; readonly message?: unknown }
  return typeof name === 'string' && typeof message === 'string'
    ? `${name}: ${message}`
    : `error=${JSON.stringify(error)}`
}

/** Parses a structured line; undefined for any other. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Selects entries from a level on, without reads of the API unless they are wanted. */
export const selectEntries = (
  entries: readonly LogEntry[],
  { level, reads }: { readonly level: LogLevel; readonly reads: boolean },
): LogEntry[] =>
  entries.filter((entry) => (reads || !entry.isRead) && logLevels.indexOf(entry.level) >= logLevels.indexOf(level))

const COLORS: Readonly<Partial<Record<LogLevel, string>>> = { warn: '\u001b[33m', error: '\u001b[31m' }
const RESET = '\u001b[39m'

/** Formats an entry with its time, and its level unless that is info. */
export function entryLine({ at, level, text }: LogEntry, hasColors: boolean): string {
  const color = hasColors ? COLORS[level] : undefined
  const line = `${localClock(at)}  ${level === 'info' ? '' : `${level.toUpperCase()} `}${text}`
  return color ? `${color}${line}${RESET}` : line
}

/** Formats entries under the names of their tasks, the task that logged first at the top. */
export const groupedLines = (entries: readonly LogEntry[], hasColors: boolean): string[] =>
  [...Map.groupBy(entries, ({ task }) => task)].flatMap(([task, ofTask]) => [
    `${task}:`,
    ...ofTask.map((entry) => `  ${entryLine(entry, hasColors)}`),
  ])
