import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cloud } from '../../local/cloud/cloud.ts'
import type { ExecutionStatusChange } from '../../local/cloud/states/status-change.ts'

const SOURCE = { source: 'aws.states', 'detail-type': 'Step Functions Execution Status Change' } as const

export type RunningExecutions = ReturnType<typeof recordExecutions>

/**
 * Records which executions of the local cloud are running. They end with their process, which may be killed. The next process
 * then reports them as aborted, so that rules on the bus react as on AWS.
 */
export function recordExecutions(
  directory: string,
  { events, settled }: Pick<Cloud, 'events' | 'settled'>,
  now: () => number,
) {
  const records = openRecords(join(directory, 'executions'))
  const left = records.all()
  let isClosed = false
  const forget = (executionArn: string) => {
    if (!isClosed) records.remove(executionArn)
  }
  const record = ({ detail }: { detail: unknown }) => {
    const change = detail as ExecutionStatusChange
    if (isClosed) return
    if (change.status === 'RUNNING') records.add(change)
    // A rule restarts what was aborted. If this process ends before that, the next one reports it again.
    else if (change.status === 'ABORTED') void settled().then(() => forget(change.executionArn))
    else forget(change.executionArn)
  }
  events.addRule({ pattern: { source: [SOURCE.source], 'detail-type': [SOURCE['detail-type']] }, deliver: record })
  return {
    /** Emits the event ABORTED for each execution that the last process left running, as AWS does. */
    reportAborted() {
      for (const execution of left.splice(0)) {
        const detail: ExecutionStatusChange = { ...execution, status: 'ABORTED', stopDate: now() }
        events.put({ ...SOURCE, resources: [execution.executionArn], detail })
      }
    },
    /** Stops recording: executions that end from now on end with the process, and are reported by the next. */
    async close() {
      isClosed = true
    },
  }
}

/** Stores one file per execution, so that a record is one write, and an unreadable one affects no other. */
function openRecords(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (executionArn: string) =>
    join(folder, `${createHash('sha256').update(executionArn).digest('hex').slice(0, 32)}.json`)
  return {
    add(execution: ExecutionStatusChange) {
      const path = fileOf(execution.executionArn)
      attempt(() => {
        writeFileSync(`${path}.new`, JSON.stringify(execution), { mode: 0o600 })
        renameSync(`${path}.new`, path) // atomic
      })
    },
    remove: (executionArn: string) => attempt(() => rmSync(fileOf(executionArn), { force: true })),
    all(): ExecutionStatusChange[] {
      const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
      const found = files.flatMap((file) => read(join(folder, file)) ?? [])
      return found.sort((one, other) => one.startDate - other.startDate)
    },
  }
}

function read(path: string): ExecutionStatusChange | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    rmSync(path, { force: true }) // it was not written by this project
    return undefined
  }
}

/** Ignores failures: a full disk must not end a show. */
function attempt(act: () => void): void {
  try {
    act()
  } catch {}
}
