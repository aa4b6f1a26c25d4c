import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { root } from '../../bin/local/root.ts'
import { secrecy } from './secrecy/per-file.ts'

/** A command of Showrunner, started as a user would. */
export interface Program {
  readonly child: ChildProcess
  /** Resolves with the first match of a pattern in what it has written; rejects if it ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Commands that print tokens and secrets to whoever asks for them. */
const HANDS_OUT: ReadonlySet<string> = new Set(['start', 'sandbox', 'env', 'token', 'platform'])

/** Removes links to watch pages, which commands print for the user to open. Any other signed address would be a leak. */
const withoutWatchLinks = (text: string) => text.replace(/\/watch\/\S+/g, '/watch/')

/** @param input what it reads on standard input; without any it has none */
export function startProgram(args: readonly string[], environment: NodeJS.ProcessEnv = {}, input?: string): Program {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, ['bin/showrunner.ts', ...args], {
    cwd: root,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>
  child.stdin?.end(input)
  let stdout = ''
  let stderr = ''
  const [command = ''] = args
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (!HANDS_OUT.has(command)) secrecy.show(`the output of ${command}`, withoutWatchLinks(text))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    secrecy.show(`the output of ${command}`, withoutWatchLinks(text))
  })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
  return {
    child,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr)
          if (!match) return
          child.stdout.off('data', look)
          child.stderr.off('data', look)
          resolve(match)
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        void ended.then(() => reject(new Error(`It ended without saying ${pattern}: ${stderr}`)))
        look()
      }),
  }
}
