import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cloud } from '../../local/cloud/cloud.ts'
import type { ExecutionStatusChange } from '../../local/cloud/states/status-change.ts'

const SOURCE = { source: 'aws.states', 'detail-type': 'Step Functions Execution Status Change' } as const

export interface ExecutionsUnderWay {
  /** Puts on the bus, as AWS would, that what the last process left under way was aborted. */
  tellOfAborted(): void
  /** What ends from now on ends with the process: it stays noted. */
  close(): Promise<void>
}

/**
 * Notes which executions of a laptop's cloud are under way. They end with the process that runs them, which may be killed: so
 * the next one tells of their end, and whoever follows it does what is to be done, as on AWS.
 */
export function noteExecutions(
  directory: string,
  { events, settled }: Pick<Cloud, 'events' | 'settled'>,
  now: () => number,
): ExecutionsUnderWay {
  const notes = openNotes(join(directory, 'executions'))
  const left = notes.all()
  let isClosed = false
  const forget = (executionArn: string) => {
    if (!isClosed) notes.remove(executionArn)
  }
  const note = ({ detail }: { detail: unknown }) => {
    const change = detail as ExecutionStatusChange
    if (isClosed) return
    if (change.status === 'RUNNING') notes.add(change)
    // Whoever is told begins anew what was aborted. A process that ends before that leaves it to the next one.
    else if (change.status === 'ABORTED') void settled().then(() => forget(change.executionArn))
    else forget(change.executionArn)
  }
  events.addRule({ pattern: { source: [SOURCE.source], 'detail-type': [SOURCE['detail-type']] }, deliver: note })
  return {
    tellOfAborted() {
      for (const execution of left.splice(0)) {
        const detail: ExecutionStatusChange = { ...execution, status: 'ABORTED', stopDate: now() }
        events.put({ ...SOURCE, resources: [execution.executionArn], detail })
      }
    },
    async close() {
      isClosed = true
    },
  }
}

/** One file for each, so that a note is one write, and one that cannot be read takes no other with it. */
function openNotes(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (executionArn: string) =>
    join(folder, `${createHash('sha256').update(executionArn).digest('hex').slice(0, 32)}.json`)
  return {
    add(execution: ExecutionStatusChange) {
      const path = fileOf(execution.executionArn)
      attempt(() => {
        writeFileSync(`${path}.new`, JSON.stringify(execution), { mode: 0o600 })
        renameSync(`${path}.new`, path) // whole or not at all
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
    rmSync(path, { force: true }) // not written by a laptop
    return undefined
  }
}

/** A full disk is no reason to end a show. */
function attempt(act: () => void): void {
  try {
    act()
  } catch {}
}
