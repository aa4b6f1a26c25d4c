import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../local/root.ts'

/** A program that is run from the root of the checkout, where those of `node_modules/.bin` are found first. */
export interface Step {
  readonly title: string
  readonly program: string
  readonly args: readonly string[]
}

/** The outcome of one step. */
export interface StepReport {
  readonly title: string
  readonly passed: boolean
  readonly seconds: number
  /** Standard output and standard error in the order of writing; only of a step that failed. */
  readonly output?: string
}

interface View {
  /** Receives the progress: a title when a step starts, its time when the step ends. */
  readonly stream: NodeJS.WritableStream
  readonly signal: AbortSignal
}

/**
 * Runs steps one after another and stops at the first that fails.
 * @returns the report of every step that ran
 * @throws Error when a program cannot be started, or when `signal` aborts
 */
export async function runSteps(steps: readonly Step[], { stream, signal }: View): Promise<readonly StepReport[]> {
  const width = Math.max(...steps.map(({ title }) => title.length))
  const reports: StepReport[] = []
  for (const step of steps) {
    stream.write(`${step.title.padEnd(width)} `)
    const report = await runStep(step, signal)
    stream.write(`${report.seconds.toFixed(1).padStart(6)} s${report.passed ? '' : '  failed'}\n`)
    reports.push(report)
    if (!report.passed) break
  }
  return reports
}

function runStep({ title, program, args }: Step, signal: AbortSignal): Promise<StepReport> {
  const startedAt = performance.now()
  const PATH = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10
      resolve({ title, passed: code === 0, seconds, ...(code !== 0 && { output }) })
    })
  })
}
